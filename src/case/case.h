/* A case: the problem in lattice units and how to run, cut, place and observe it, read from a JSON file. */
#ifndef WEIR_SRC_CASE_CASE_H
#define WEIR_SRC_CASE_CASE_H

#include "graph/plan/worker_groups.h"
#include "graph/problem/box.h"
#include "graph/problem/fluid_pieces.h"
#include "graph/problem/problem.h"
#include "src/case/units.h"

#include <stdbool.h>
#include <stdint.h>

struct weir_rank_map;
struct weir_set_up_notice;
struct weir_world;

enum weir_output_type {
    WEIR_OUTPUT_FIELDS,
    WEIR_OUTPUT_IMAGE,
    WEIR_OUTPUT_PROFILE,
    WEIR_OUTPUT_SERIES,
    WEIR_OUTPUT_PROBES,
    WEIR_OUTPUT_FLUX,
    WEIR_OUTPUT_AVERAGES,
    WEIR_OUTPUT_PERMEABILITY,
    WEIR_OUTPUT_SURFACE,
    WEIR_OUTPUT_TYPE_COUNT
};

enum weir_quantity {
    WEIR_DENSITY,
    WEIR_PRESSURE, /* density / 3 in lattice units; of phases and thermal flows by their equation of state */
    WEIR_VELOCITY, /* vector */
    WEIR_VELOCITY_X,
    WEIR_VELOCITY_Y,
    WEIR_VELOCITY_Z,
    WEIR_SPEED,
    WEIR_SCALAR_QUANTITY, /* of cases with a scalar */
    WEIR_TEMPERATURE,     /* of thermal flows */
    WEIR_FILL_LEVEL,      /* of cases with a free surface */
    WEIR_EDDY_VISCOSITY,  /* of cases with turbulence */
    WEIR_VORTICITY,       /* vector; in images the component normal to the plane */
    WEIR_Q_CRITERION,
    WEIR_STRAIN_RATE,       /* symmetric tensor: xx, yy, zz, xy, yz, xz */
    WEIR_SHEAR_RATE,        /* its magnitude */
    WEIR_SHEAR_STRESS,      /* symmetric tensor */
    WEIR_WALL_SHEAR_STRESS, /* fields only */
    WEIR_CELL_TYPE,         /* fields only */
    WEIR_VELOCITY_RMS,      /* vector; averages only */
    WEIR_REYNOLDS_STRESS,   /* symmetric tensor; averages only */
    WEIR_QUANTITY_COUNT
};

enum weir_field_format { WEIR_XDMF, WEIR_VTKHDF };
extern const char *const weir_field_format_names[]; /* ends with NULL */

struct weir_output {
    enum weir_output_type type;
    char name[64];   /* file stem; unique within the case */
    int64_t every;   /* steps between outputs; 0: at the end of the run only. Series, probes, fluxes and
                        permeabilities also at step 0 */
    bool compressed; /* fields and averages: without loss */
    struct weir_box region;        /* fields: of these cells; averages: of all */
    int64_t stride;                /* every so many of them along each axis */
    enum weir_field_format format; /* fields */
    unsigned quantities;           /* bit 1u << enum weir_quantity; an image has exactly one bit */
    /* image */
    int axis;            /* normal of the plane; of a flux, too */
    double position;     /* along that axis, in cell widths from the domain's low corner */
    double range[2];     /* colour range in output units; NaN: from the data */
    int64_t streamlines; /* so many beside each other along the plane's longer side; 0: none */
    int pixels;          /* width of the picture's longer side in pixels, 0: chosen */
    /* profile: a line along one axis, positions in cell widths; from and to differ in exactly one component,
     * from < to. flux: corners of a rectangle normal to `axis`; they agree along it, and from < to along the
     * others */
    double from[3], to[3];
    /* probes: where, in cell widths from the domain's low corner */
    double (*points)[3]; /* [point_count] */
    int point_count;
    int (*differences)[2]; /* [difference_count]: of which points, numbered from 0, the second is taken from
                              the first */
    int difference_count;
    /* averages */
    int64_t start; /* step of the first sample, where it is a multiple of `every` */
    /* series */
    bool faces; /* forces on the domain's faces too, beside those on bodies */
    /* Of force coefficients, lattice units; 0: none are written. */
    double reference_velocity, reference_area;
    double reference_length; /* of Strouhal numbers; 0: none are computed */
    double nusselt_length, nusselt_difference,
        nusselt_area; /* of Nusselt numbers, the same; 0: none are written */
    /* surface */
    bool of_walls[WEIR_WALLS_MAX]; /* of these bodies */
    /* series, probes, flux */
    int64_t statistics_from; /* the step from which the summary's statistics are; -1: there are none */
};

/* What averages are made of: of each cell the sums of density, velocity, scalar, and of products of velocity
 * components (xx, yy, zz, xy, yz, xz), and in cases with turbulence of the eddy viscosity, in double
 * precision.
 */
enum { WEIR_SUMS_OF_AVERAGES = 12 }; /* at most */

/* Bytes of copies of blocks' sums that wait to be written at once, in each rank; one block's at least. */
#define WEIR_AVERAGES_BUFFER (256.0 * (1 << 20))

/* When what is needed to go on is written. */
struct weir_case_checkpoint {
    bool wanted;     /* at all: by what follows, and on signals */
    int64_t every;   /* steps; 0: none at fixed steps */
    double minutes;  /* 0: none by the clock */
    int64_t keep;    /* how many stay */
    double buffer;   /* MiB per rank for copies that wait to be written */
    bool compressed; /* without loss */
};

/* A mean velocity that a body force holds. */
struct weir_flow_rate {
    double velocity[3]; /* lattice units; 0: none is held */
    int64_t every;      /* steps between changes of the force */
    double gain;        /* part of what is missing that the force shall bring in so many steps */
};

struct weir_case {
    char *file;        /* path of the case file, for messages */
    char *name;        /* names the output folder */
    char *description; /* may be empty */
    char *text;        /* the case as JSON after --set, with the map of ranks, in the file's units: the record
                          beside the results */
    struct weir_problem problem;
    struct weir_units units;
    struct weir_flow_rate flow_rate;
    double characteristic_velocity;  /* lattice units: greatest Reynolds, wall, initial speed; 0: unknown */
    double characteristic_length;    /* cells; 0: unknown */
    int block_cells[3];              /* at most the domain's; 0: chosen by the program */
    int ranks_along[3];              /* ranks along each axis, 0: chosen by the program */
    double rank_timeout;             /* seconds without a sign of life after which a rank is lost; 0: never */
    struct weir_rank_map *map;       /* NULL: none is given */
    char *map_file;                  /* that it was read from; NULL: the case file */
    char *policy;                    /* "static", "model", "balanced", "starpu:NAME"; "": none is named */
    struct weir_named_share *shares; /* [share_count] of the blocks' weight, by group, kind of group */
    int share_count;                 /* 0: none are given */
    char *workers;                   /* "auto", "cpu", "team", "cuda", "all" */
    double memory;                   /* bytes of blocks that a GPU may have at a time; 0: what it has */
    int64_t steps;
    int64_t check_every; /* steps between checks for divergence */
    double steady;       /* 0: off; stop when max|u(t)-u(t-every)| <= steady * max|u(t)| */
    int64_t steady_every;
    struct weir_case_checkpoint checkpoint;
    bool lists_chosen; /* problem.list_up_to was left out, and is what is fastest */
    bool close_pockets;
    int64_t pockets, pocket_cells; /* that were closed, where close_pockets is set */
    bool looked;                   /* for them; what else there is then: */
    struct weir_fluid_pieces left;
    struct weir_output *outputs;
    int output_count;

    struct weir_set_up_notice *notice; /* of what takes long (set_up_notice.h); NULL: nobody is told */
};

/* Reads and validates a case. `sets` are the values of --set (PATH=VALUE, VALUE is JSON or a bare string),
 * `set_count` of them. On success *result is owned by the caller (weir_case_destroy). Errors: -WEIR_USAGE
 * with file, key, what was there and what would be right. */
int weir_case_read(const char *file, const char *const *sets, int set_count, struct weir_case **result);

/* The same on all ranks, which must read the same, and divide among themselves what takes long. Collective,
 * errors agreed; world: NULL for one rank. notice: NULL is allowed; else the case's, which it must outlive.
 */
int weir_case_read_together(struct weir_world *world, const char *file, const char *const *sets,
                            int set_count, struct weir_set_up_notice *notice, struct weir_case **result);
void weir_case_destroy(struct weir_case *c);

/* How many sums averages of a case have for each cell. */
int weir_case_sums_of_averages(const struct weir_case *c);

/* Whether cells might keep moments instead of populations, whatever they keep: the collision goes by them,
 * and nothing else asks for populations. */
bool weir_case_may_keep_moments(const struct weir_case *c);

#endif
