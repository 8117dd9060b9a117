#pragma once
// What the header tool of the engine would make. The struct needs nothing; a class needs the name of its parent.
#define GENERATED_BODY_OF_THIS \
public:                        \
    using Super = UActorComponent;
