using Pccd;
using UnityEngine;

/// <summary>Finds the collisions of an animated mesh with itself between two frames.</summary>
[RequireComponent(typeof(MeshFilter))]
public sealed class ClothSelfCollision : MonoBehaviour
{
    private Context context;
    private Pccd.Mesh body;
    private Bvh bvh;
    private Query query;
    private UnityEngine.Mesh animated;

    private void OnEnable()
    {
        animated = GetComponent<MeshFilter>().mesh;
        context = new Context(new ContextSettings { ThreadCount = SystemInfo.processorCount });
        body = context.CreateMesh(animated);
        bvh = context.CreateBvh();
        bvh.Add(body);
        query = context.CreateQuery();
    }

    // After whatever moves the vertices.
    private void LateUpdate()
    {
        body.Move(animated.vertices);
        query.Run(bvh);
        Contacts contacts = query.Contacts;
        if (contacts.Count > 0)
            Debug.Log(contacts.Count + " contacts, the first one listed at t = " + contacts[0].toi_lower);
    }

    // With it go all that was created in it.
    private void OnDisable()
    {
        context.Dispose();
    }
}
