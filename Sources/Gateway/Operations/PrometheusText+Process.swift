extension PrometheusText {
    /// The program's version and its use of the machine, under the names of Prometheus' client libraries: dashboards
    /// for any program show this one.
    ///
    /// - Parameter node: the process's name among several; nil if it has none.
    mutating func process(_ usage: ProcessUsage?, node: String?) {
        series(.gauge, "belfry_build_info", "Always 1; the version is a label.", [([("version", Release.version)], 1)])
        if let node {
            series(.gauge, "belfry_node_info", "Always 1; the node's name is a label.", [([("node", node)], 1)])
        }
        guard let usage else { return }
        number(
            .gauge, "process_start_time_seconds", "When the process began, in seconds since 1970.",
            usage.startedAtSeconds)
        number(.counter, "process_cpu_seconds_total", "Processor time of all threads.", usage.cpuSeconds)
        gauge("process_resident_memory_bytes", "Memory that is held at this moment.", usage.residentBytes)
        if let bytes = usage.heapBytesInUse {
            gauge("belfry_heap_bytes", "Memory in use, without what the program keeps to use it again.", bytes)
        }
        if let descriptors = usage.openDescriptors {
            gauge("process_open_fds", "Open descriptors: one for each session, and some more.", descriptors)
        }
        gauge("process_max_fds", "How many descriptors may be open.", usage.maximumDescriptors)
    }
}
