import Testing

/// What logs: the log is one of the process, so that these suites run one after another. Traces log too.
@Suite(.serialized) enum LogSuites {}
