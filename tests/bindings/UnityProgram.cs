using System;
using System.Reflection;
using Pccd;
using Pccd.Tests;
using Unity.Collections;
using Unity.Jobs;
using UnityEngine;

/// <summary>The frames of the scene through the types of Unity, with the stubs in their place. Then scripts are reloaded.</summary>
public static unsafe class UnityProgram
{
    public static int Main()
    {
        float[] numbers = new float[3 * Wave.Vertices];
        Wave.Pose(numbers, 0);
        UnityEngine.Mesh source = new UnityEngine.Mesh { vertices = new Vector3[Wave.Vertices], triangles = Wave.Triangles() };
        for (int i = 0; i < Wave.Vertices; i++)
            source.vertices[i] = new Vector3(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]);
        Context context = new Context(new ContextSettings { ThreadCount = 2 });
        Pccd.Mesh mesh = context.CreateMesh(source);
        Bvh bvh = context.CreateBvh();
        bvh.Add(mesh);
        Query query = context.CreateQuery();
        for (int frame = 1; frame <= Wave.Frames; frame++)
        {
            Wave.Pose(numbers, frame);
            fixed (float* data = numbers)
            {
                NativeArray<Vector3> array = new NativeArray<Vector3>((IntPtr)data, Wave.Vertices);
                if (frame % 2 == 0)
                    mesh.Move(array);
                else
                    mesh.Move(array.AsPoints(0));
            }
            query.Begin(bvh);
            JobHandle jobs = query.Worker.Schedule(2);
            query.End();
            jobs.Complete();
            Console.WriteLine(frame + " " + query.Contacts.Count + " " + query.Hash.ToString("x16"));
        }
        foreach (MethodInfo method in typeof(UnityTypes).GetMethods(BindingFlags.NonPublic | BindingFlags.Static))
            if (method.GetCustomAttributes(typeof(UnityEditor.InitializeOnLoadMethodAttribute), false).Length > 0)
                method.Invoke(null, null);
        UnityEditor.AssemblyReloadEvents.Reload();
        return context.IsDisposed ? 0 : 1;
    }
}
