// Runs LEMON's weighted perfect matching on one instance file: `lemon_driver FILE`.
//
// The file: a line `n m`, then m lines `u v weight` with vertices from 0. Weights are negated, as LEMON maximises.
// Prints `optimum seconds peak_kib`: CPU seconds of building the graph and solving (reading the file excluded), and the
// peak resident memory of the process up to the end of the solve. A graph without a perfect matching prints `none`.
// `lemon_driver --version` prints the version of LEMON.

#include <lemon/config.h>
#include <lemon/matching.h>
#include <lemon/smart_graph.h>

#include <cstdio>
#include <cstring>
#include <ctime>
#include <vector>

namespace {

struct RawEdge {
    int u, v, weight;
};

double cpu_seconds() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

long peak_kib() {
    long peak = 0;
    char line[256];
    std::FILE* status = std::fopen("/proc/self/status", "r");
    while (status != nullptr && std::fgets(line, sizeof line, status) != nullptr) {
        std::sscanf(line, "VmHWM: %ld", &peak);
    }
    if (status != nullptr) std::fclose(status);
    return peak;
}

bool read_edges(const char* path, int& n, std::vector<RawEdge>& edges) {
    std::FILE* file = std::fopen(path, "r");
    std::size_t m = 0;
    if (file == nullptr || std::fscanf(file, "%d %zu", &n, &m) != 2) return false;
    edges.resize(m);
    for (RawEdge& edge : edges) {
        if (std::fscanf(file, "%d %d %d", &edge.u, &edge.v, &edge.weight) != 3) return false;
    }
    std::fclose(file);
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 2 && std::strcmp(argv[1], "--version") == 0) {
        std::puts(LEMON_VERSION);
        return 0;
    }
    int n = 0;
    std::vector<RawEdge> edges;
    if (argc != 2 || !read_edges(argv[1], n, edges)) {
        std::fprintf(stderr, "usage: lemon_driver FILE\n");
        return 2;
    }

    using Graph = lemon::SmartGraph;
    // 64-bit values: duals are scaled by 4 and may exceed the weights.
    using Weights = Graph::EdgeMap<long long>;
    const double start = cpu_seconds();
    Graph graph;
    graph.reserveNode(n);
    graph.reserveEdge(static_cast<int>(edges.size()));
    for (int i = 0; i < n; ++i) graph.addNode();
    for (const RawEdge& edge : edges) graph.addEdge(Graph::nodeFromId(edge.u), Graph::nodeFromId(edge.v));
    Weights weights(graph);
    for (std::size_t i = 0; i < edges.size(); ++i) {
        weights[Graph::edgeFromId(static_cast<int>(i))] = -edges[i].weight;
    }
    lemon::MaxWeightedPerfectMatching<Graph, Weights> matching(graph, weights);
    const bool found = matching.run();
    const double seconds = cpu_seconds() - start;
    if (!found) {
        std::puts("none");
        return 1;
    }
    std::printf("%lld %.9f %ld\n", -static_cast<long long>(matching.matchingWeight()), seconds, peak_kib());
    return 0;
}
