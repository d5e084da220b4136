import Fief
import FiefConsole
import FiefImport

/// A failure as shown to the user of the tool: what happened, and what to do next.
struct ToolFailure: Error {
  let status: ExitStatus
  let code: String
  let happened: String
  /// A sentence that states whether anything was changed, or `nil` if that is obvious.
  var consequence: String?
  var next: String
  var place: [(name: String, value: String)] = []
  var details: [String] = []
  /// Lines to show unchanged, such as a text and a line that marks a position in it.
  var excerpt: [String] = []

  init(
    _ status: ExitStatus,
    code: String,
    _ happened: String,
    next: String,
    isChanged consequence: String? = "Nothing was changed.",
    details: [String] = []
  ) {
    self.status = status
    self.code = code
    self.happened = happened
    self.consequence = consequence
    self.next = next
    self.details = details
  }

  /// Creates the failure for an error.
  ///
  /// - Parameters:
  ///   - verb: the name of the command that failed.
  ///   - store: the store as named on the command line.
  init(_ error: any Error, of verb: String? = nil, store: String?) {
    if let failure = error as? ToolFailure ?? Self.ofFile(error) ?? Self.ofPieces(error) {
      self = failure
      return
    }
    let path = store.map { ShellText.quoted($0) } ?? "STORE"
    // Values are shown, because the user of the tool requests the data.
    let advice = ErrorAdvice(
      (error as? FiefError)?.showingValues() ?? error,
      commands: ErrorAdvice.Commands(
        failed: verb == CheckVerb.declaration.name ? .verify : nil,
        verify: "fief check \(path)"
      ),
      consequence: "Nothing was changed."
    )
    code = advice.code
    consequence = advice.consequence
    place = advice.place.map { (name: $0.name, value: $0.value) }
    details = advice.details
    if (error as? FiefError)?.message == DynamicStore.noCatalogue {
      status = .damaged
      happened = "This is an LMDB file, but not a store of Fief: it has no catalogue."
      next = "Check the path; the program that created the file can read it."
      return
    }
    if code == FiefError.Code.encrypted.rawValue {
      (status, happened) = (.refused, "The store is encrypted, but no key was given.")
      next =
        "Specify its key file with --key-file, or the environment variable of its passphrase with --key-env."
      return
    }
    status =
      switch advice.kind {
      case .failed: .failed
      case .refused: .refused
      case .damaged: .damaged
      case .notFound: .notFound
      }
    happened = advice.happened
    next = advice.next
  }

  /// Returns the failure for a damaged encrypted file, or `nil` for other errors.
  private static func ofPieces(_ error: any Error) -> ToolFailure? {
    guard error is DamagedPieces else { return nil }
    return ToolFailure(
      .damaged,
      code: "damagedFile",
      "The encrypted file is damaged or truncated.",
      next: "Use another copy of the same file."
    )
  }

  /// Reports the failure, as text on standard error or as a document.
  ///
  /// - Parameter onOutput: whether a document goes to standard output. In that case nothing else was written
  ///   there.
  func report(isJSON: Bool, onOutput: Bool, _ streams: ToolStreams) {
    if isJSON {
      let console = onOutput ? streams.io.output : streams.io.error
      console.line(onOutput ? document.pretty() : document.line())
      return
    }
    let console = streams.io.error
    let sentences = [happened, consequence, next].compactMap { $0 }.map { Format.printable($0) }
    for (index, line) in Console.fold("fief: " + sentences.joined(separator: " "), width: 100).enumerated() {
      console.line(index == 0 ? line : "  " + line)
    }
    for (name, value) in place { console.line("  \(name): \(Format.printable(value))") }
    for detail in details {
      for line in detail.split(separator: "\n") { console.line("  - \(Format.printable(String(line)))") }
    }
    for line in excerpt { console.line("    \(Format.printable(line))") }
  }

  private var document: JSONValue {
    var members: [JSONValue.Member] = [
      .init("code", .string(code)),
      .init("message", .string(happened)),
      .init("consequence", .text(consequence)),
      .init("next", .string(next)),
    ]
    for (name, value) in place { members.append(.init(name, .string(value))) }
    let lines = details + excerpt
    if !lines.isEmpty { members.append(.init("details", .array(lines.map { .string($0) }))) }
    return ["error": .object(members), "status": .integer(Int64(status.rawValue))]
  }
}
