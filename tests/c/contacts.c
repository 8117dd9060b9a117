/* What is found, seen from C: contacts that can be worked out by hand, in every layout, mode and order of calls. */
#include "falling.h"

int main(void) {
    what_is_a_contact();
    what_is_looked_for();
    how_meshes_are_given();
    triangles_in_boxes();
    return finish();
}
