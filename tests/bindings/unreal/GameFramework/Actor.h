#pragma once

#include "../Components/ActorComponent.h"

class AActor {
public:
    std::vector<UActorComponent*> Components;
    template <class T>
    T* FindComponentByClass() const {
        for (UActorComponent* it : Components)
            if (T* found = dynamic_cast<T*>(it)) return found;
        return nullptr;
    }
};
