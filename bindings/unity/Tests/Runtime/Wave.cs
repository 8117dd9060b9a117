using System;

namespace Pccd.Tests
{
    /// <summary>
    /// The scene of the tests of all bindings: a cloth with waves that grow until they break. Made from additions,
    /// multiplications and divisions of doubles alone, so that C makes the same numbers.
    /// </summary>
    public static class Wave
    {
        public const int Side = 40, Frames = 6, Vertices = Side * Side;

        private static double At(double x)
        {
            double f = x - Math.Floor(x);
            return f < 0.5 ? f * (0.5 - f) * 16.0 : (f - 0.5) * (1.0 - f) * -16.0;
        }

        public static void Pose(float[] positions, int frame)
        {
            for (int i = 0; i < Vertices; i++)
            {
                double u = (double)(i % Side) / (Side - 1), v = (double)(i / Side) / (Side - 1);
                double height = 0.02 + 0.02 * frame, phase = 4.0 * u + 0.3 * At(0.5 * v) + 0.1 * frame;
                positions[3 * i] = (float)(u + height * At(phase));
                positions[3 * i + 1] = (float)v;
                positions[3 * i + 2] = (float)(height * At(phase + 0.25));
            }
        }

        public static float[] Posed(int frame)
        {
            float[] positions = new float[3 * Vertices];
            Pose(positions, frame);
            return positions;
        }

        public static int[] Triangles()
        {
            int[] triangles = new int[6 * (Side - 1) * (Side - 1)];
            for (int i = 0; i < (Side - 1) * (Side - 1); i++)
            {
                int a = i / (Side - 1) * Side + i % (Side - 1);
                int[] corners = { a, a + 1, a + Side, a + 1, a + Side + 1, a + Side };
                corners.CopyTo(triangles, 6 * i);
            }
            return triangles;
        }
    }

    /// <summary>The scene in a context.</summary>
    public sealed class World : IDisposable
    {
        public readonly Context Context;
        public readonly Mesh Mesh;
        public readonly Bvh Bvh;
        public readonly Query Query;

        public World(ContextSettings settings)
        {
            Context = new Context(settings);
            Mesh = Context.CreateMesh(Wave.Posed(0), Wave.Triangles());
            Bvh = Context.CreateBvh();
            Bvh.Add(Mesh);
            Query = Context.CreateQuery();
        }

        public string Found(int frame)
        {
            return frame + " " + Query.Contacts.Count + " " + Query.Hash.ToString("x16");
        }

        public void Dispose()
        {
            Context.Dispose();
        }
    }
}
