#include "step_report.h"
#include "program.h"

void print_steps_header(int earliest)
{
    printf("%10s %10s %10s %10s %10s %11s %13s %10s", "triangles", "vf", "ee", "total ms", "update ms",
           "traverse ms", "elementary ms", "sort ms");
    if (earliest)
        printf(" %22s", "safe step");
    printf("  frames\n");
}

void print_step(const step_report *report, int earliest)
{
    printf("%10llu %10llu %10llu %10.3f %10.3f %11.3f %13.3f %10.3f", (unsigned long long)report->triangles,
           (unsigned long long)report->contacts_vf, (unsigned long long)report->contacts_ee,
           report->ms_total, report->ms_update, report->ms_traverse, report->ms_elementary, report->ms_sort);
    if (earliest)
        printf(" %22.17g", report->safe_step);
    printf("  %s %s\n", report->start, report->end);
}

int write_steps_json(const char *path, uint64_t threads, int earliest, const step_report *reports,
                     size_t count)
{
    FILE *out = create_file(path);
    size_t i;

    if (out == NULL)
        return 0;
    fprintf(out, "{\"threads\": %llu, \"steps\": [", (unsigned long long)threads);
    for (i = 0; i < count; i++) {
        const step_report *step = &reports[i];

        fprintf(out, "%s\n  {\"triangles\": %llu, \"contacts_vf\": %llu, \"contacts_ee\": %llu",
                i == 0 ? "" : ",", (unsigned long long)step->triangles,
                (unsigned long long)step->contacts_vf, (unsigned long long)step->contacts_ee);
        fprintf(out,
                ", \"ms_total\": %.6f, \"ms_update\": %.6f, \"ms_traverse\": %.6f, \"ms_elementary\": %.6f"
                ", \"ms_sort\": %.6f",
                step->ms_total, step->ms_update, step->ms_traverse, step->ms_elementary, step->ms_sort);
        if (earliest)
            fprintf(out, ", \"safe_step\": %.17g", step->safe_step);
        fprintf(out, ", \"hash\": \"%016llx\"}", (unsigned long long)step->hash);
    }
    fputs("\n]}\n", out);
    return finish_file(out, path);
}

void write_contacts(FILE *out, const pccd_contact *contacts, uint64_t count)
{
    uint64_t i;

    for (i = 0; i < count; i++) {
        const pccd_contact *contact = &contacts[i];

        fprintf(out, "%s,%lu,%lu,%lu,%lu,%.17g,%.17g\n", contact->kind == PCCD_EDGE_EDGE ? "ee" : "vf",
                (unsigned long)contact->vertices[0], (unsigned long)contact->vertices[1],
                (unsigned long)contact->vertices[2], (unsigned long)contact->vertices[3], contact->toi_lower,
                contact->toi_upper);
    }
}
