import LMDB
import Synchronization

extension FiefError {
  private static let showing = Atomic(false)

  /// A Boolean value that indicates whether the texts of all errors and events of the process show values and
  /// keys; false by default.
  ///
  /// Errors are often logged, and values may be secrets. By default, ``description`` and ``details``
  /// therefore show types and lengths instead of values and keys, and only the domain and code of errors of
  /// other libraries. ``key`` always has the key, for use in code. ``showingValues()`` shows the values of a
  /// single error.
  public static var showsValues: Bool {
    get { showing.load(ordering: .relaxed) }
    set { showing.store(newValue, ordering: .relaxed) }
  }

  /// Returns a copy of the error that shows values and keys in ``description`` and ``details``.
  public func showingValues() -> FiefError {
    var error = self
    error.isShowing = true
    return error
  }

  /// The key as readable text; `nil` if the error has no key.
  package var keyText: String? {
    key.map { isShowing ? $0 : HiddenValue.length(of: $0) }
  }

  /// Returns a line for an underlying error.
  package func text(of cause: any Error) -> String {
    switch cause {
    case let cause as FiefError: isShowing ? "\(cause.showingValues())" : "\(cause)"
    case let cause as LMDBError: "\(cause)"
    default: isShowing ? "\(cause)" : HiddenValue.summary(of: cause)
    }
  }
}
