import Fief
public import Foundation

/// The measurement of one HTTP request.
///
/// ```swift
/// let metric = HTTPMetric(url: url, method: "GET")
/// metric.start()
/// metric.responseCode = 200
/// metric.responseBytes = 1_024
/// metric.stop()
/// ```
/// Only the host and the path of the URL are stored, because the user, password, query and fragment may be
/// secret. A metric that is never stopped is not counted.
public final class HTTPMetric: Sendable {
  private struct State: Sendable {
    var trace: StoreTrace?
    var responseCode: Int?
    var requestBytes: Int?
    var responseBytes: Int?
  }

  /// The name under which the request is counted: the first 200 characters of `GET host/path`.
  public let name: String
  private let state = Lock(State())

  /// Creates a measurement of a request.
  ///
  /// - Parameters:
  ///   - url: the URL.
  ///   - method: the HTTP method, such as `GET`.
  public init(url: URL, method: String) {
    name = TraceTable.requests.name("\(method.uppercased()) \(url.host() ?? "")\(url.path())")
  }

  /// The status of the response, or `nil` if there was none. A status of 400 or above counts as a failure.
  public var responseCode: Int? {
    get { state.withLock { $0.responseCode } }
    set { state.withLock { $0.responseCode = newValue } }
  }

  /// The size of the request's body in bytes, or `nil` if it is unknown.
  public var requestBytes: Int? {
    get { state.withLock { $0.requestBytes } }
    set { state.withLock { $0.requestBytes = newValue } }
  }

  /// The size of the response's body in bytes, or `nil` if it is unknown.
  public var responseBytes: Int? {
    get { state.withLock { $0.responseBytes } }
    set { state.withLock { $0.responseBytes = newValue } }
  }

  /// Begins the measurement. Calling this again starts a new measurement without the previous response.
  public func start() {
    let trace = StoreTrace(name, in: .requests)
    state.withLock { ($0.trace, $0.responseCode, $0.responseBytes) = (trace, nil, nil) }
  }

  /// Ends the measurement and counts it. It has failed if there is no response or its status is 400 or above.
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

  /// Returns a summary of the requests with a name since the process started, or `nil` if none was stopped.
  ///
  /// - Parameter name: the ``name-swift.property`` of the metrics.
  public static func summary(named name: String) -> TraceSummary? { TraceTable.requests.summary(name) }
}

/// The reason why a request failed.
struct HTTPFailure: Error {
  /// The status of the response, or `nil` if there was none.
  let status: Int?
}
