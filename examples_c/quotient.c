/*
 * The quotient of two integers as an exact double.
 *
 * The numbers of a query file don't fit into 64 bits, and a denominator of 2^1074 isn't even a double. What
 * strtod makes of long text is left to each C library. So this file divides in binary, bit by bit, with
 * integers that are long enough, and accepts only a quotient that is a double without any rounding.
 */
#include "quotient.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* 2^1074, the largest denominator a double can have, has 324 digits. 400 digits need 1329 bits; the division
 * aligns both numbers to the longer one and then needs one bit more. */
#define MAX_DIGITS 400
#define LIMBS 44
#define SIGNIFICANT_BITS 53

typedef struct natural {
    uint32_t limbs[LIMBS]; /* least significant first */
    int used;              /* limbs above are zero */
} natural;

static const char *parse_natural(const char *text, size_t length, natural *out)
{
    size_t i;

    memset(out, 0, sizeof *out);
    if (length == 0)
        return "a number is missing";
    for (i = 0; i < length; i++)
        if (text[i] < '0' || text[i] > '9')
            return "not an integer";
    while (length > 0 && *text == '0') {
        text++;
        length--;
    }
    if (length > MAX_DIGITS)
        return "a number has more than 400 digits";
    for (i = 0; i < length; i++) {
        uint64_t carry = (uint64_t)(text[i] - '0');
        int k;

        for (k = 0; k < out->used; k++) {
            carry += (uint64_t)out->limbs[k] * 10;
            out->limbs[k] = (uint32_t)carry;
            carry >>= 32;
        }
        if (carry)
            out->limbs[out->used++] = (uint32_t)carry;
    }
    return NULL;
}

static int bit_length(const natural *n)
{
    uint32_t top;
    int bits = 0;

    if (n->used == 0)
        return 0;
    for (top = n->limbs[n->used - 1]; top; top >>= 1)
        bits++;
    return 32 * (n->used - 1) + bits;
}

static void shift_left(natural *n, int bits)
{
    int whole = bits / 32, part = bits % 32, k;

    if (n->used == 0)
        return;
    for (k = n->used; k >= 0; k--) {
        uint32_t high = k < n->used ? n->limbs[k] << part : 0;
        uint32_t low = k > 0 && part > 0 ? n->limbs[k - 1] >> (32 - part) : 0;

        if (k + whole < LIMBS)
            n->limbs[k + whole] = high | low;
    }
    for (k = 0; k < whole; k++)
        n->limbs[k] = 0;
    n->used += whole + 1;
    if (n->used > LIMBS)
        n->used = LIMBS;
    while (n->used > 0 && n->limbs[n->used - 1] == 0)
        n->used--;
}

/* Subtracts b from a and returns 1 if b <= a; otherwise leaves a alone and returns 0. */
static int subtract_if_not_larger(natural *a, const natural *b)
{
    uint64_t borrow = 0;
    int k;

    if (a->used < b->used)
        return 0;
    if (a->used == b->used) {
        for (k = a->used - 1; k >= 0 && a->limbs[k] == b->limbs[k]; k--)
            ;
        if (k >= 0 && a->limbs[k] < b->limbs[k])
            return 0;
    }
    for (k = 0; k < a->used; k++) {
        uint64_t difference = (uint64_t)a->limbs[k] - b->limbs[k] - borrow;

        a->limbs[k] = (uint32_t)difference;
        borrow = difference >> 63;
    }
    while (a->used > 0 && a->limbs[a->used - 1] == 0)
        a->used--;
    return 1;
}

const char *exact_quotient(const char *numerator, size_t numerator_length, const char *denominator,
                           size_t denominator_length, double *out)
{
    natural dividend, divisor;
    const char *wrong;
    uint64_t quotient = 0;
    double value;
    int negative, exponent, i;

    negative = numerator_length > 0 && numerator[0] == '-';
    wrong = parse_natural(numerator + negative, numerator_length - (size_t)negative, &dividend);
    if (!wrong)
        wrong = parse_natural(denominator, denominator_length, &divisor);
    if (wrong)
        return wrong;
    if (divisor.used == 0)
        return "the denominator is zero";
    if (dividend.used == 0) {
        *out = 0.0;
        return NULL;
    }

    /* Give both the same number of bits: dividend / divisor * 2^-exponent then lies in (1/2, 2). */
    exponent = bit_length(&dividend) - bit_length(&divisor);
    if (exponent < 0)
        shift_left(&dividend, -exponent);
    else
        shift_left(&divisor, exponent);

    /* One bit of the quotient in each step. A leading 0 makes up for the quotients below 1. */
    for (i = 0; i <= SIGNIFICANT_BITS; i++) {
        quotient = quotient << 1 | (uint64_t)subtract_if_not_larger(&dividend, &divisor);
        shift_left(&dividend, 1);
    }
    exponent -= SIGNIFICANT_BITS;
    if (dividend.used > 0)
        return "the quotient is not a double (it needs more than 53 bits)";

    /* Two checks in one go: the 54 bits fit into a double's 53, and ldexp neither overflows nor drops bits of
     * a number near zero. */
    value = ldexp((double)quotient, exponent);
    if ((uint64_t)(double)quotient != quotient || !isfinite(value) ||
        ldexp(value, -exponent) != (double)quotient)
        return "the quotient is not a double (too large, too small or too long)";
    *out = negative ? -value : value;
    return NULL;
}
