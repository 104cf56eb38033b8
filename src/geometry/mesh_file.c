#include "src/geometry/mesh_file.h"

#include "graph/base/error.h"

#if WEIR_WITH_ASSIMP

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_TEXT = 200 };

/* What is gathered on the way through a scene's nodes. */
struct gathering {
    const struct aiScene *scene;
    const char *part;
    struct weir_triangles *triangles; /* corners NULL: they are counted only */
    char names[NAMES_TEXT];           /* of parts, for messages */
};

static void note_name(struct gathering *g, const char *name) {
    const size_t used = strlen(g->names), length = strlen(name);
    if (length > 0 && used + length + 5 < NAMES_TEXT && !strstr(g->names, name))
        snprintf(g->names + used, NAMES_TEXT - used, "%s\"%s\"", used > 0 ? ", " : "", name);
}

static void take_face(struct gathering *g, const struct aiMesh *mesh, const struct aiFace *face,
                      const struct aiMatrix4x4 *matrix) {
    if (face->mNumIndices != 3) /* points and lines */
        return;
    const int64_t place = g->triangles->count++;
    for (int k = 0; k < 3 && g->triangles->corners; k++) {
        struct aiVector3D point = mesh->mVertices[face->mIndices[k]];
        aiTransformVecByMatrix4(&point, matrix);
        g->triangles->corners[place][k][0] = point.x;
        g->triangles->corners[place][k][1] = point.y;
        g->triangles->corners[place][k][2] = point.z;
    }
}

static void take_node(struct gathering *g, const struct aiNode *node, const struct aiMatrix4x4 *above) {
    struct aiMatrix4x4 matrix = *above;
    aiMultiplyMatrix4(&matrix, &node->mTransformation);
    for (unsigned k = 0; k < node->mNumMeshes; k++) {
        const struct aiMesh *mesh = g->scene->mMeshes[node->mMeshes[k]];
        note_name(g, mesh->mName.data);
        note_name(g, node->mName.data);
        if (g->part && strcmp(g->part, mesh->mName.data) != 0 && strcmp(g->part, node->mName.data) != 0)
            continue;
        for (unsigned f = 0; f < mesh->mNumFaces; f++)
            take_face(g, mesh, &mesh->mFaces[f], &matrix);
    }
    for (unsigned k = 0; k < node->mNumChildren; k++)
        take_node(g, node->mChildren[k], &matrix);
}

static int check_corners(const char *path, const struct weir_triangles *triangles) {
    for (int64_t k = 0; k < triangles->count; k++)
        for (int place = 0; place < 9; place++)
            if (!isfinite(triangles->corners[k][place / 3][place % 3]))
                return weir_fail(
                    WEIR_USAGE, "'%s' has a corner that is no finite number, in triangle %lld; mend the mesh",
                    path, (long long)k);
    return 0;
}

/* Counts triangles, then takes them. */
static int gather(const char *path, struct gathering *g) {
    struct aiMatrix4x4 identity;
    aiIdentityMatrix4(&identity);
    take_node(g, g->scene->mRootNode, &identity);
    const int64_t count = g->triangles->count;
    if (count == 0 && g->part)
        return weir_fail(WEIR_USAGE, "'%s' has no triangles of a part \"%s\"; its parts are %s", path,
                         g->part, g->names[0] ? g->names : "without names");
    if (count == 0)
        return weir_fail(WEIR_USAGE, "'%s' has no triangles; give a mesh of a surface", path);
    g->triangles->corners = malloc((size_t)count * sizeof *g->triangles->corners);
    if (!g->triangles->corners)
        return weir_fail(WEIR_FAILED, "no memory left for the %lld triangles of '%s'", (long long)count,
                         path);
    g->triangles->count = 0;
    take_node(g, g->scene->mRootNode, &identity);
    return check_corners(path, g->triangles);
}

/* Whether a text has the line that ends a PLY file's header. Lines may end with \r. */
static bool has_header_end(const char *text, size_t length) {
    static const char end[] = "end_header";
    const size_t size = sizeof end - 1;
    const char *next = text, *found;
    while ((found = memmem(next, length - (size_t)(next - text), end, size)) != NULL) {
        next = found + size;
        if (found > text && (found[-1] == '\n' || found[-1] == '\r') && next < text + length &&
            (*next == '\n' || *next == '\r' || *next == ' '))
            return true;
    }
    return false;
}

/* Assimp looks for the end of the header for ever. */
static int check_ply_header(const char *path) {
    enum { LONGEST = 1 << 16 };
    FILE *file = fopen(path, "rb");
    char *header = malloc(LONGEST);
    const size_t length = file && header ? fread(header, 1, LONGEST, file) : 0;
    const bool good = length < 3 || memcmp(header, "ply", 3) != 0 || has_header_end(header, length);
    free(header);
    if (file) /* one that cannot be opened Assimp tells of */
        fclose(file);
    return good ? 0
                : weir_fail(WEIR_USAGE,
                            "cannot read '%s': the header of this PLY file does not end within %d bytes; "
                            "mend it, or write the mesh anew",
                            path, LONGEST);
}

/* Assimp takes both for granted. */
static int check_faces(const char *path, const struct aiScene *scene) {
    for (unsigned m = 0; m < scene->mNumMeshes; m++) {
        const struct aiMesh *mesh = scene->mMeshes[m];
        for (unsigned f = 0; f < mesh->mNumFaces; f++) {
            const struct aiFace *face = &mesh->mFaces[f];
            if (face->mNumIndices == 0)
                return weir_fail(WEIR_USAGE, "'%s' has a face without corners, number %u; mend the mesh",
                                 path, f);
            for (unsigned k = 0; k < face->mNumIndices; k++)
                if (face->mIndices[k] >= mesh->mNumVertices)
                    return weir_fail(
                        WEIR_USAGE,
                        "'%s' has a face with a corner at vertex %u of %u, number %u; mend the mesh", path,
                        face->mIndices[k], mesh->mNumVertices, f);
        }
    }
    return 0;
}

/* Faces become triangles. *scene is for the caller to release; NULL where Assimp has done so. */
static int import(const char *path, const struct aiScene **scene) {
    *scene = aiImportFile(path, 0);
    if (*scene)
        WEIR_TRY(check_faces(path, *scene));
    if (*scene)
        *scene = aiApplyPostProcessing(*scene, aiProcess_Triangulate);
    if (*scene && (*scene)->mRootNode)
        return 0;
    return weir_fail(WEIR_USAGE, "cannot read '%s': %s; give a mesh as STL, OBJ or PLY", path,
                     aiGetErrorString());
}

int weir_mesh_file_read(const char *path, const char *part, struct weir_triangles *triangles) {
    *triangles = (struct weir_triangles){.count = 0};
    WEIR_TRY(check_ply_header(path));
    struct gathering g = {.part = part, .triangles = triangles};
    int error = import(path, &g.scene);
    if (error == 0)
        error = gather(path, &g);
    aiReleaseImport(g.scene);
    if (error < 0)
        weir_triangles_free(triangles);
    return error;
}

#else

int weir_mesh_file_read(const char *path, const char *part, struct weir_triangles *triangles) {
    (void)part;
    *triangles = (struct weir_triangles){.count = 0};
    return weir_fail(
        WEIR_UNAVAILABLE,
        "cannot read '%s': this Weir was built without Assimp, which reads meshes; install libassimp-dev and "
        "build it again",
        path);
}

#endif
