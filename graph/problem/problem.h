/* What is to be computed, in lattice units: the fluid, its domain, walls, solids, initial state. It knows
 * neither blocks nor workers nor files. src/ fills it from a case file; tests fill it by hand.
 *
 * Positions are measured from the domain's low corner in cell widths: the centre of cell (i, j, k) is (i+0.5,
 * j+0.5, k+0.5), and a wall on face "x-" is the plane x = 0. Axis order is x, y, z everywhere; x runs fastest
 * in memory. */
#ifndef WEIR_GRAPH_PROBLEM_PROBLEM_H
#define WEIR_GRAPH_PROBLEM_PROBLEM_H

#include "codelets/kernels/boundary/boundary_rules.h"
#include "codelets/kernels/collision/collisions.h"
#include "codelets/kernels/halo/message.h"
#include "codelets/kernels/variants.h"
#include "graph/problem/phases.h"

#include <stdbool.h>
#include <stdint.h>

/* Names as in case files, of what these may ask for ("D3Q19", "trt", "single"); the tables end with NULL. */
extern const char *const weir_lattice_names[];
extern const char *const weir_collision_names[];
extern const char *const weir_precision_names[];

/* Faces of the domain and of blocks, by number (offsets.h): x-, x+, y-, y+, z-, z+. */
extern const char *const weir_face_names[];

/* A kind of wall: what a flag byte of a solid cell points to. Number 0 means fluid, so walls[0] is unused;
 * numbers 1 to 6 are the domain's faces in the order above, 7 is the wall at rest beyond edges and corners
 * where such faces meet, and in cells of a moving wall that something of another velocity covers; further
 * ones are bodies made of solids.
 *
 * The edges rest whatever the faces do: else moving walls would not conserve mass (numerics.md, Walls). */
enum { WEIR_EDGE_WALL = 7, WEIR_FIRST_BODY = 8, WEIR_WALLS_MAX = 128 };

struct weir_wall {
    char name[32]; /* "z+", or the body's name: what forces are reported under */
    enum weir_rule rule;
    double velocity[3]; /* walls: of the surface, tangential where mass is to be conserved; velocities: of the
                           fluid there */
    double rotation[3]; /* walls: angular velocity of the surface about `center`; per step */
    double center[3];   /* of rotation, and what torque is about */
    bool links;         /* bodies that are walls: each link has values of its own, how far away the surface is
                           and how fast it is there; needed where they turn or are interpolated */
    double density;     /* pressures */
    double temperature; /* walls of flows that have one */
    bool adheres;       /* walls, of phases: the acceleration towards them is this, not what the phases say */
    double adhesion;
    double contact_angle; /* walls: at which a free surface meets them; degrees; 0: as the surface says */
    bool profile;         /* faces: the rule's values are those of weir_problem.profile instead */
    bool scalar_profile;  /* faces with a profile: what is given of the scalar is in it, too */
    bool in_time;         /* bodies: its values are those of weir_problem.body_values instead */
    bool moves_in_time;   /* such bodies: its velocity is among what changes */
    double varies_until;  /* faces with a profile, bodies in time: that changes before this step; 0: never,
                             HUGE_VAL: always */
    bool gas;             /* it is what lies beyond a free surface, which no shape has */
    bool conducts;        /* bodies: its shapes conduct the scalar (weir_shape.body), and no link meets it */
    bool part;            /* it lies, at least in some places, beyond a part of a face (weir_shape.face) */
    enum weir_scalar_rule scalar_rule; /* what it does to a scalar */
    double scalar; /* the value that it gives it, or what comes in through a cell's side in a step */
};

/* The magic parameter of a scalar where nothing is said: 1/4, at which it is stable at any diffusivity
 * (Kuzmin, Ginzburg, Mohamad, Comput. Math. Appl. 61 (2011) 3417). */
#define WEIR_SCALAR_MAGIC 0.25

/* The turbulent Prandtl number of a scalar where nothing is said: that of the log region of boundary layers
 * (Kays, J. Heat Transfer 116 (1994) 284). numerics.md (N98). */
#define WEIR_TURBULENT_PRANDTL 0.85

/* A scalar that the flow carries along and that diffuses in it, and that may act on it (Boussinesq). */
struct weir_scalar {
    bool present;
    double relaxation_time;   /* of the odd moments; diffusivity = c_s^2 (tau - 1/2), c_s of its lattice */
    double magic;             /* (tau+ - 1/2)(tau - 1/2) */
    double turbulent_prandtl; /* among eddies: eddy viscosity over what they add to the diffusivity */
    double initial;           /* used where weir_problem.initial is NULL */
    double buoyancy[3];       /* force per mass on the fluid for each unit that it is above the reference */
    double reference;
    bool sources;  /* each cell has one */
    double source; /* what a step adds to the scalar of a cell; used where weir_problem.initial is NULL */
};

/* What a solid that conducts the scalar is made of (numerics.md, Conducting solids): its conductivity,
 * c_s^2 (tau - 1/2) with c_s of the scalar's lattice and tau the relaxation time of the odd moments, and what
 * a volume of it takes up for each unit of the scalar, in that of the fluid. */
struct weir_conductor {
    double relaxation_time, capacity;
};
enum { WEIR_CONDUCTORS_MAX = 127 };

/* Liquid with a free surface, beyond which is gas of one pressure: the last of the walls, which kernels give
 * to the cells that are gas (weir_problem_add_gas). Its fill level at the start comes from
 * weir_problem.initial; without that, all is liquid. */
struct weir_surface {
    bool present;
    double gas_density;   /* whose pressure, c_s^2 times it, the gas has */
    double tension;       /* of the surface */
    double contact_angle; /* at which it meets walls that say nothing else, in the liquid; degrees */
    int gas;              /* number of the gas among the walls; 0: it is not there yet */
    bool bubbles;         /* gas that is enclosed keeps its amount: its pressure follows from its volume */
    unsigned atmosphere;  /* bit f: but not what reaches the domain's face f (offsets.h) */
};

/* Whether it is a wall whose surface moves. */
bool weir_wall_moves(const struct weir_wall *wall);

/* Whether it does anything to what it reflects, of the flow or of a scalar, but send it back. */
bool weir_wall_acts(const struct weir_wall *wall);

/* Whether fluid may pass it. */
bool weir_wall_is_open(const struct weir_wall *wall);

/* Whether kernels take cells beside it one by one, and count what each of its links exchanges: fluid may pass
 * it, it is gas, what it does to a scalar differs from place to place, each link has values of its own, or
 * cells before it are completed. */
bool weir_wall_is_counted(const struct weir_wall *wall);

/* Whether what comes back along a link to it is made of what the cell sends alone (boundary_rules.h). */
bool weir_wall_is_of_links_alone(const struct weir_wall *wall);

/* Velocity of a wall's surface at a place that is `arm` away from its centre. */
void weir_wall_velocity(const struct weir_wall *wall, const double arm[3], double velocity[3]);

/* Whether it lies beyond a part of a face. */
bool weir_wall_is_part(const struct weir_wall *wall);

struct weir_region;

enum weir_shape_type { WEIR_SPHERE, WEIR_BOX, WEIR_CYLINDER, WEIR_REGION };

/* A cell is solid when its centre lies inside (boundary included) of any shape. Or the shape names a part of
 * a face of the domain: those cells of the face whose own faces have their centres inside. Such parts do not
 * move, nor do faces that have some: at their rims a moving wall would make mass. Later shapes win where
 * shapes overlap. */
struct weir_shape {
    enum weir_shape_type type;
    int face; /* number of the face's wall, WEIR_WALL_OF_FACE; 0: it is a solid */
    int wall; /* index into weir_problem.walls, >= WEIR_FIRST_BODY; 0: it is a hollow, fluid in all solids
                 before it */
    int conductor; /* hollows: number of weir_problem.conductors, counted from 1: it is no fluid, but a solid
                      that conducts the scalar, whose cells the flow turns round in; 0: it is none */
    int body; /* conductors: index into weir_problem.walls, of what their forces and what they give of the
                 scalar are told under; 0: these are not found */
    union {
        struct {
            double center[3], radius;
        } sphere;
        struct {
            double from[3], to[3];
        } box;
        struct {
            int axis;                 /* 0, 1, 2: along x, y, z */
            double center[3], radius; /* center[axis] is the middle of its length */
            double length;            /* HUGE_VAL: through the whole domain */
        } cylinder;
        struct weir_region *region; /* anything else (region.h); owned */
    };
};

/* Numbers that say what a cell is like: density, velocity and, as the fifth, a scalar, the temperature, or
 * the fill level beside a free surface, where there is one. Of what is seen of a cell there is one more, the
 * eddy viscosity, where there are eddies. */
enum { WEIR_MACROSCOPIC_MAX = 5, WEIR_OBSERVED_MAX };

/* At first a cell is said one more, where the scalar has sources: its own. */
enum { WEIR_INITIAL_SOURCE = WEIR_MACROSCOPIC_MAX, WEIR_INITIAL_MAX };

/* Fills density, velocity and, where the problem has one, scalar, temperature or fill level of the cells of a
 * box whose low cell is `origin` and which has `extent` cells per axis; the box may reach one cell beyond the
 * domain, where the function wraps around periodic axes itself. values[0] is density, values[1..3] velocity,
 * values[4] the scalar, the temperature, or the fill level, from 0 to 1, and values[WEIR_INITIAL_SOURCE] what
 * a step adds to the scalar, where the problem has sources; x fastest, each array
 * extent[0]*extent[1]*extent[2]. Called from several threads at once. Returns 0 or a negative error. */
typedef int (*weir_initial_function)(void *context, const int origin[3], const int extent[3],
                                     double *const values[]);

/* Where values of a boundary are asked for: at the centres of cells' own faces, for the cells of a box that
 * is one cell thick, lies beside the face, and may reach one cell beyond the domain along it. */
struct weir_profile_place {
    int face;
    double time; /* in steps from the start; where populations of step s meet the boundary, s + 1/2 */
    int origin[3], extent[3];
};

/* Fills the values of a face's boundary there: the rule's (velocity, or density) from values[0] on, and in
 * values[WEIR_PROFILE_SCALAR] what is given of a scalar, where that is a profile; x fastest. Wraps around
 * periodic axes itself. Called from several threads at once. Returns 0 or a negative error. */
typedef int (*weir_profile_function)(void *context, const struct weir_profile_place *place,
                                     double *const values[WEIR_PROFILE_VALUES]);

/* Puts the values that the wall of this number, a body with in_time, has at a time in place of its own: its
 * rule's velocity or density, and its scalar, lattice units; time as above. Called from several threads at
 * once. Returns 0 or a negative error. */
typedef int (*weir_body_function)(void *context, int number, double time, struct weir_wall *wall);

/* Equilibria that flows relax to, by their names in case files; the table ends with NULL. */
enum weir_equilibrium { WEIR_COMPRESSIBLE, WEIR_INCOMPRESSIBLE };
extern const char *const weir_equilibrium_names[];

/* Models of the turbulence that cells are too wide for, by their names in case files; the table ends with
 * NULL. */
enum weir_turbulence_model { WEIR_SMAGORINSKY, WEIR_QR, WEIR_WALE };
extern const char *const weir_turbulence_names[];
extern const struct weir_turbulence_row {
    double constant;  /* where nothing is said */
    double factor;    /* that kernels take (eddies.h, wale.h): this times the square of the constant */
    bool in_space;    /* nothing comes of it in two dimensions */
    bool of_gradient; /* it wants the gradient of the velocity, for which neighbours are asked */
} weir_turbulence_rows[];

struct weir_turbulence {
    bool present;
    enum weir_turbulence_model model;
    double constant; /* C: eddy viscosity = (C cell width)^2 times a norm of the rate of strain */
};

struct weir_model;

/* Sums over time that blocks keep, at most: each is data of a block, of which there are few
 * (stage.h). */
enum { WEIR_TIME_SUMS_KEPT = 4 };

struct weir_problem {
    enum weir_lattice lattice;
    enum weir_collision collision;
    enum weir_precision precision;
    double list_up_to; /* blocks of which at most this share is fluid keep their fluid cells only, as lists;
                          0: none does */
    bool keep_solid_blocks; /* blocks without fluid have data and tasks, too */
    int planes_at_once;     /* of blocks that keep moments (struct weir_moment_sizes) */
    int cells[3];           /* D2Q9: cells[2] == 1 */
    bool periodic[3];
    enum weir_equilibrium equilibrium;
    double relaxation_time;                 /* tau; viscosity = c_s^2 (tau - 1/2) */
    double parameters[WEIR_PARAMETERS_MAX]; /* of the collision, in the order of its row (collisions.h) */
    double force[3];                        /* body force per volume, of thermal flows per mass */
    bool driven;              /* it may change while the flow is computed (weir_simulation_set_force) */
    double reference_density; /* density in the term of moving walls and velocities; the mean density of the
                                 fluid */

    struct weir_wall walls[WEIR_WALLS_MAX];
    int wall_count; /* one past the last used; at least WEIR_FIRST_BODY */
    struct weir_shape *shapes;
    int shape_count;
    struct weir_known_counts *known; /* of these (known_counts.h), not owned; NULL: none are kept */

    struct weir_scalar scalar;
    struct weir_conductor conductors[WEIR_CONDUCTORS_MAX];
    int conductor_count;
    struct weir_phases phases;
    struct weir_surface surface; /* at most one of the three is present, but two components have a scalar */
    struct weir_turbulence turbulence;

    double initial_density, initial_velocity[3],
        initial_temperature; /* used where initial is NULL; the last by thermal flows */
    weir_initial_function initial;
    void *initial_context;

    weir_profile_function profile; /* of walls whose `profile` is true */
    void *profile_context;

    weir_body_function body_values; /* of walls whose `in_time` is true */
    void *body_context;

    int time_sums; /* how many sums over time blocks keep of their cells, at most WEIR_TIME_SUMS_KEPT */

    /* Adds to the model of the flow (model.h): sets, fields, channels, stages. NULL: there is nothing else.
     */
    void (*extend)(const struct weir_problem *problem, struct weir_model *model);
};

/* Whether boundaries of the problem change in time, at this step or later. */
bool weir_problem_varies(const struct weir_problem *problem, double step);

/* Whether a boundary of it mirrors populations. */
bool weir_problem_mirrors(const struct weir_problem *problem);

/* Whether rows of cells at this face (offsets.h) of the domain meet a mirror there, that is, it is normal to
 * y or z, which turns all populations that they have: a scalar's it does not. */
bool weir_face_mirrors_rows(const struct weir_problem *problem, int face);

/* Whether cells of some of its faces lie on a boundary. */
bool weir_problem_is_wet(const struct weir_problem *problem);

/* Whether a boundary of it carries out what is in the fluid. */
bool weir_problem_carries_out(const struct weir_problem *problem);

/* Whether its flow has a temperature, in units of the one at which the lattice's speed of sound without
 * changes of temperature is c_s. */
bool weir_problem_is_thermal(const struct weir_problem *problem);

/* Whether cells have a scalar or a temperature, as the fifth of their numbers. */
bool weir_problem_has_fifth(const struct weir_problem *problem);

/* What that is at first, where weir_problem.initial is NULL. */
double weir_problem_initial_fifth(const struct weir_problem *problem);

/* Kinematic viscosity, of thermal flows at temperature 1, to which it is in proportion; and the way back. */
double weir_problem_viscosity(const struct weir_problem *problem);
double weir_problem_relaxation_time(const struct weir_problem *problem, double viscosity);

/* Speed of sound, of thermal flows at temperature 1. */
double weir_problem_sound_speed(const struct weir_problem *problem);

/* Whether its scalar acts on the flow. */
bool weir_problem_is_buoyant(const struct weir_problem *problem);

/* Numbers that follow from the gradient of the velocity and are kept of each cell, beside its populations:
 * the eddy viscosity where its model wants the gradient, the rate of strain where the collision does. 0:
 * nobody wants it. */
int weir_problem_gradient_values(const struct weir_problem *problem);

/* Numbers that each cell keeps of conductors, where there are some: variant.h. */
int weir_problem_conductor_values(const struct weir_problem *problem);

/* Numbers of a cell that rest behind the populations of a scalar, or alone: these, the scalar's source, and
 * those of conductors. */
int weir_problem_resting_values(const struct weir_problem *problem);

/* Whether those of the gradient are of the eddy viscosity; of the rate of strain. */
bool weir_problem_keeps_eddies(const struct weir_problem *problem);
bool weir_problem_keeps_strain(const struct weir_problem *problem);

/* The acceleration of phases beside a wall towards it; beyond edges the mean of the faces that are walls. */
double weir_problem_adhesion(const struct weir_problem *problem, int wall);

/* Whether it matters how walls are wetted: by phases, or by a liquid whose free surface has a tension. */
bool weir_problem_wets(const struct weir_problem *problem);

/* What kernels take for that (weir_block_view.wetting). A free surface never meets a wall beyond an edge. */
double weir_problem_wetting(const struct weir_problem *problem, int wall);

/* Whether a body force acts, or may. */
bool weir_problem_is_forced(const struct weir_problem *problem);

/* Whether any of its shapes is a solid. */
bool weir_problem_has_solids(const struct weir_problem *problem);

/* A fluid at rest of density 1, D3Q19 TRT (magic 3/16) single, tau 1, one cell, nothing periodic, resting
 * walls on all faces. */
void weir_problem_default(struct weir_problem *problem);

/* Adds the gas beyond a free surface to the problem's walls: behind the last, so when all others are there.
 * false: there is no room. */
bool weir_problem_add_gas(struct weir_problem *problem);

/* Frees the problem's shapes and their regions; there are none afterwards. */
void weir_problem_free_shapes(struct weir_problem *problem);

/* Chooses a collision, and gives all its parameters the values that they have where nothing is said. */
void weir_problem_collide_by(struct weir_problem *problem, enum weir_collision collision);

/* Has cells kept in a precision. Where it keeps moments and the collision asks for more, another takes its
 * place: recursive, on lattices that do not have it regularised. */
void weir_problem_keep(struct weir_problem *problem, enum weir_precision precision);

/* What a cell keeps of the flow, as a set: populations of the lattice, or moments. */
const struct weir_lattice_table *weir_problem_flow_set(const struct weir_problem *problem);

/* The density that velocities of walls and boundaries make momentum with: the reference density, or that of
 * rest, 1, where the equilibrium is incompressible. */
double weir_problem_inertia(const struct weir_problem *problem);

/* What kernels read of a value of a boundary with this rule: see block_view.h. */
double weir_rule_kernel_value(const struct weir_problem *problem, enum weir_rule rule, double value);

/* The same of all values of a boundary, and the reference density. */
void weir_wall_kernel_values(const struct weir_problem *problem, const struct weir_wall *wall,
                             double values[WEIR_KERNEL_VALUES]);

/* What kernels have at hand of the boundaries beyond the domain's low and high end along x. */
void weir_problem_ends(const struct weir_problem *problem, struct weir_end ends[2]);

/* What kernels are called with, but for a step's own. */
struct weir_fluid weir_problem_fluid(const struct weir_problem *problem);

/* How many of WEIR_MACROSCOPIC_MAX there are: 4, or 5 with a scalar, a temperature or a free surface. */
int weir_problem_macroscopic(const struct weir_problem *problem);

/* How many of WEIR_INITIAL_MAX there are: these, and the scalar's source. */
int weir_problem_initial_values(const struct weir_problem *problem);

/* How many of WEIR_OBSERVED_MAX there are: the macroscopic ones, and the eddy viscosity as the last where
 * there are eddies.
 */
int weir_problem_observed(const struct weir_problem *problem);

/* How many numbers of a cell are added up over time, of WEIR_TIME_SUMS_MAX (kernels.h). */
int weir_problem_time_sums(const struct weir_problem *problem);

/* The lattice of a problem's scalar: D2Q5 or D3Q7. */
enum weir_lattice weir_scalar_lattice(const struct weir_problem *problem);

/* The relaxation time that gives a scalar a diffusivity in cells^2 per step, and the way back. */
double weir_scalar_relaxation_time(enum weir_lattice lattice, double diffusivity);
double weir_scalar_diffusivity(const struct weir_problem *problem);

/* Number of axes the lattice moves along: 2 or 3. */
int weir_lattice_dimensions(enum weir_lattice lattice);

/* Number of populations per cell (q). */
int weir_lattice_populations(enum weir_lattice lattice);

#endif
