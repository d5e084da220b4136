import LMDB
import Synchronization

extension FiefError {
  private static let showing = Atomic(false)

  /// Whether the texts of all errors and events of the process have the values and keys that they are about; false by
  /// default.
  ///
  /// Errors go to logs, and values may be secrets: by default ``description`` and ``details`` have types and lengths in
  /// place of values and keys, and of errors that are not the library's the domain and code. ``key`` always has the key,
  /// for programs. ``showingValues()`` shows those of one error.
  public static var showsValues: Bool {
    get { showing.load(ordering: .relaxed) }
    set { showing.store(newValue, ordering: .relaxed) }
  }

  /// The same error, whose ``description`` and ``details`` have the values and keys that it is about.
  public func showingValues() -> FiefError {
    var error = self
    error.isShowing = true
    return error
  }

  /// The key as a text for people; nil where there is none.
  package var keyText: String? {
    key.map { isShowing ? $0 : HiddenValue.length(of: $0) }
  }

  /// A line for an error below this one.
  package func text(of cause: any Error) -> String {
    switch cause {
    case let cause as FiefError: isShowing ? "\(cause.showingValues())" : "\(cause)"
    case let cause as LMDBError: "\(cause)"
    default: isShowing ? "\(cause)" : HiddenValue.summary(of: cause)
    }
  }
}
