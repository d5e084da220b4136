import Fief
public import Foundation

/// The measure of one HTTP request.
///
/// ```swift
/// let metric = HTTPMetric(url: url, method: "GET")
/// metric.start()
/// metric.responseCode = 200
/// metric.responseBytes = 1_024
/// metric.stop()
/// ```
/// Of the URL only the host and the path are kept: user, password, query and fragment may be secrets. A metric that is never stopped
/// counts nowhere.
public final class HTTPMetric: Sendable {
  private struct State: Sendable {
    var trace: StoreTrace?
    var responseCode: Int?
    var requestBytes: Int?
    var responseBytes: Int?
  }

  /// The method, the host and the path that it is counted under, as `GET host/path`: the first 200 characters of it.
  public let name: String
  private let state = Lock(State())

  /// Makes the measure of a request.
  ///
  /// - Parameters:
  ///   - url: the URL.
  ///   - method: the method, as `GET`.
  public init(url: URL, method: String) {
    name = TraceTable.requests.name("\(method.uppercased()) \(url.host() ?? "")\(url.path())")
  }

  /// The status of the response; nil where none came. 400 and above is a failure.
  public var responseCode: Int? {
    get { state.withLock { $0.responseCode } }
    set { state.withLock { $0.responseCode = newValue } }
  }

  /// The size of the request's body, in bytes; nil where it is not known.
  public var requestBytes: Int? {
    get { state.withLock { $0.requestBytes } }
    set { state.withLock { $0.requestBytes = newValue } }
  }

  /// The size of the response's body, in bytes; nil where it is not known.
  public var responseBytes: Int? {
    get { state.withLock { $0.responseBytes } }
    set { state.withLock { $0.responseBytes = newValue } }
  }

  /// Begins to measure. A further call begins again, without the response of the request before.
  public func start() {
    let trace = StoreTrace(name, in: .requests)
    state.withLock { ($0.trace, $0.responseCode, $0.responseBytes) = (trace, nil, nil) }
  }

  /// Ends the measure and counts it. Without a response, or with one of status 400 and above, it has failed.
  public func stop() {
    let ended = state.withLock { state in
      defer { state.trace = nil }
      return state
    }
    guard let trace = ended.trace else { return }
    if let code = ended.responseCode { trace["status"] = "\(code)" }
    if let bytes = ended.requestBytes { trace.increment("request_bytes", by: bytes) }
    if let bytes = ended.responseBytes { trace.increment("response_bytes", by: bytes) }
    if let code = ended.responseCode, code < 400 { return trace.stop() }
    trace.stop(.failed(HTTPFailure(status: ended.responseCode)))
  }

  /// The requests of a name since the process began; nil where none was stopped.
  ///
  /// - Parameter name: the ``name-swift.property`` of the metrics.
  public static func summary(named name: String) -> TraceSummary? { TraceTable.requests.summary(name) }
}

/// The reason of a request's failure.
struct HTTPFailure: Error {
  /// nil where no response came.
  let status: Int?
}
