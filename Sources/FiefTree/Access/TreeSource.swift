/// The origin of a value that is read.
public enum TreeSource: Sendable {
  /// The store.
  case `default`
  /// The store, even if a server is connected.
  case cache
  /// The server of the tree. Reading throws `notConnected` if the tree is not connected to one.
  case server
}

/// The state of a tree's connection to its server.
public struct TreeConnection: Sendable {
  /// A Boolean value that indicates whether the tree is connected to a server. It is false without a product
  /// that connects it.
  public let isConnected: Bool
  /// The time of the server minus the time of this machine, in milliseconds; 0 if it is not known.
  public let serverTimeOffset: Double
}
