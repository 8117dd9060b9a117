#pragma once

#include "../Components/ActorComponent.h"

class AActor {
public:
    virtual ~AActor() = default;
    virtual void BeginPlay() {}
    virtual void Tick(float) {}
    std::vector<UActorComponent*> Components;
    template <class T>
    T* FindComponentByClass() const {
        for (UActorComponent* it : Components)
            if (T* found = dynamic_cast<T*>(it)) return found;
        return nullptr;
    }
};

template <class T>
T* NewObject(AActor* owner) {
    T* it = new T;
    it->Owner = owner;
    return it;
}
