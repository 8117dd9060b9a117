/* Scenes of rigid bodies. */
#ifndef RIGID_SCENES_H
#define RIGID_SCENES_H

#include "command_line.h"
#include "rigid.h"

enum { SCENE_SCREWS = 1, SCENE_TORI, SCENE_CUBES, SCENE_SPHERES, SCENE_BOXES };

/* For an OPTION_CHOICE. */
extern const choice scene_choices[];

/* What the scene is called. */
const char *scene_name(int32_t scene);

/* Fills a world. A count of 0 means as many moving bodies as the scene usually has. Returns 0, and has said why, if that fails. */
int scene_build(int32_t scene, uint64_t count, world *self);

#endif
