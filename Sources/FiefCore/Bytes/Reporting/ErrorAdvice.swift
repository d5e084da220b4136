import LMDB

/// An error with advice for the person who has to handle it: what happened, whether anything was changed, and
/// what to do next.
package struct ErrorAdvice: Sendable {
  /// The consequence of an error for the operation.
  package enum Kind: String, Sendable {
    /// The operation failed.
    case failed
    /// The operation was not started.
    case refused
    /// Files of the store are damaged.
    case damaged
    /// The requested item does not exist.
    case notFound
  }

  /// The command lines that the advice mentions. A command is `nil` if the tool does not have it, or if it is
  /// the command that failed: the advice never names that one.
  package struct Commands: Sendable {
    /// A command that advice can name.
    package enum Name: Sendable {
      case verify, restore, migrate, diff
    }

    /// The command that checks the whole store: `petstore-migrate verify --only pets`.
    package var verify: String?
    /// The command that replaces the store by a backup.
    package var restore: String?
    /// The command that migrates the store.
    package var migrate: String?
    /// The command that shows the differences.
    package var diff: String?
    /// The command that encrypts an unencrypted store.
    package var encrypt: String?
    /// Whether the store was being checked.
    let isCheck: Bool

    /// Creates a list of commands.
    ///
    /// - Parameter failed: the command that failed, if advice can name it.
    package init(
      failed: Name? = nil,
      verify: String? = nil,
      restore: String? = nil,
      migrate: String? = nil,
      diff: String? = nil,
      encrypt: String? = nil
    ) {
      self.verify = failed == .verify ? nil : verify
      self.restore = failed == .restore ? nil : restore
      self.migrate = failed == .migrate ? nil : migrate
      self.diff = failed == .diff ? nil : diff
      self.encrypt = encrypt
      isCheck = failed == .verify
    }
  }

  /// The consequence for the operation.
  package var kind: Kind
  /// The error's code, for scripts.
  package var code: String
  /// What failed, as a sentence.
  package var happened: String
  /// Whether anything was changed, as a sentence.
  package var consequence: String
  /// The next steps, as sentences.
  package var next: String
  /// The location: store, type, property, key and path, as far as they are known.
  package var place: [(name: String, value: String)]
  /// Further lines: each difference, each violation, the system's own text.
  package var details: [String]

  /// Creates the advice for an error.
  ///
  /// - Parameters:
  ///   - error: any error. An error of another library is described by itself.
  ///   - commands: the commands that the reader can type.
  ///   - consequence: the consequence for the store; by default, that nothing was changed.
  package init(
    _ error: any Error,
    commands: Commands = Commands(),
    consequence: String = "Nothing was changed."
  ) {
    let error = Self.libraryError(error)
    let cause = error.underlying as? LMDBError
    let advice = cause.flatMap { Self.advice(for: $0, commands) } ?? Self.advice(for: error, commands)
    kind = advice.kind
    code = error.code.rawValue
    happened = advice.happened ?? error.message
    next = advice.next
    self.consequence = advice.consequence ?? consequence
    let fields = [
      ("store", error.store), ("type", error.type), ("property", error.property), ("key", error.keyText),
      ("path", error.path),
    ]
    place = fields.compactMap { name, value in value.map { (name: name, value: $0) } }
    details = error.details + Self.causes(of: error)
  }

  /// The whole advice as one paragraph, without the location and the details.
  package var sentences: String { "\(happened) \(consequence) \(next)" }

  private static func libraryError(_ error: any Error) -> FiefError {
    switch error {
    case let error as FiefError: error
    case let error as LMDBError: FiefError(error)
    default: FiefError(.storage, "An unknown error occurred.", underlying: error)
    }
  }

  /// Returns the causes of an error, one per line.
  private static func causes(of error: FiefError) -> [String] {
    var lines: [String] = []
    var next = error.underlying
    while let cause = next {
      switch cause {
      case let cause as LMDBError:
        let detail = cause.detail.map { " (\($0))" } ?? ""
        lines.append("caused by: \(cause.message)\(detail)")
        next = nil
      case let cause as FiefError:
        lines.append("caused by: \(cause.message)")
        lines += error.isShowing ? cause.showingValues().details : cause.details
        next = cause.underlying
      default:
        let text = error.text(of: cause)
        // An error of the system may be a detail already.
        if !error.details.contains(where: { !$0.isEmpty && text.hasPrefix($0) }) {
          lines.append("caused by: \(text)")
        }
        next = nil
      }
    }
    return lines
  }
}

/// The part of the advice that depends on the kind of error.
struct AdviceText {
  var kind: ErrorAdvice.Kind
  /// The description of the failure; `nil` to use the error's own message.
  var happened: String?
  /// The consequence for the store, if it differs from the caller's description.
  var consequence: String?
  var next: String

  init(_ kind: ErrorAdvice.Kind, _ happened: String? = nil, consequence: String? = nil, next: String) {
    self.kind = kind
    self.happened = happened
    self.consequence = consequence
    self.next = next
  }
}
