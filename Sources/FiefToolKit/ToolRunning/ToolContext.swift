import Fief
import FiefConsole

/// One run of a command: its arguments, its streams and its store.
struct ToolContext {
  let invocation: Invocation
  let streams: ToolStreams
  private let typed = TypedKey()

  init(_ invocation: Invocation, _ streams: ToolStreams) {
    self.invocation = invocation
    self.streams = streams
  }

  var io: CommandIO { streams.io }
  var output: Console { streams.io.output }
  var isJSON: Bool { invocation.has("json") }

  /// Rejects contradictory options that were given together.
  ///
  /// - Throws: ``UsageError`` that names the first two of the options.
  func refuseSeveral(of names: [String]) throws {
    let given = names.filter { invocation.has($0) }
    guard given.count > 1 else { return }
    throw UsageError(
      "'--\(given[0])' and '--\(given[1])' cannot be combined.",
      command: invocation.command.name
    )
  }

  /// Opens the store named by the first word.
  ///
  /// - Parameters:
  ///   - mayBeClear: returns whether the store may be unencrypted although the command line specifies a key,
  ///     because the key may be meant for another file.
  ///   - readsDamaged: whether to open the store even if its pages are damaged, or if it was changed without
  ///     its key. Each page is then checked before it is read.
  func open(
    forWriting: Bool = false,
    mayBeClear: () throws -> Bool = { false },
    readsDamaged: Bool = false
  ) throws -> DynamicStore {
    let path = try StorePath.directory(of: invocation.word(0) ?? "")
    let verification: StoreOptions.Verification = invocation.has("no-verify") ? .quick : .full
    return try open(
      path,
      forWriting: forWriting,
      mayBeClear: mayBeClear,
      readsDamaged ? .automatic : verification,
      verifiesCommit: !readsDamaged
    )
  }

  /// Opens a store with the key that the command line specifies or the user enters at the terminal.
  func open(
    _ path: String,
    forWriting: Bool = false,
    mayBeClear: () throws -> Bool = { false },
    _ verification: StoreOptions.Verification,
    verifiesCommit: Bool = true
  ) throws -> DynamicStore {
    func open(_ encryption: StoreEncryption?) throws -> DynamicStore {
      try DynamicStore(
        directory: path,
        isReadOnly: !forWriting,
        verification: verification,
        encryption: encryption,
        allowsGroupWritableDirectory: invocation.has("allow-group-writable"),
        verifiesCommit: verifiesCommit
      )
    }
    do { return try open(key()) } catch let error as FiefError {
      if error.code == .notEncrypted, try mayBeClear() { return try open(nil) }
      guard error.code == .encrypted, let asked = key(askingFor: "The store \(error.store ?? path)")
      else { throw error }
      return try open(asked)
    }
  }

  /// Returns the key that the command line specifies or the user has entered, or `nil` without a key.
  func key() throws -> StoreEncryption? {
    try typed.value ?? StoreKeyOptions.named(by: invocation, in: io.environment)
  }

  /// Returns the key that the user enters at the terminal. The user is asked once per run.
  func key(askingFor name: String) -> StoreEncryption? {
    if typed.value == nil { typed.value = StoreKeyOptions.asked(for: name, on: io) }
    return typed.value
  }

  private final class TypedKey {
    var value: StoreEncryption?
  }

  /// Prints a document.
  func print(_ document: JSONValue) { output.line(document.pretty()) }

  /// Throws an error unless `--write` was given.
  func requireWrite() throws {
    guard !invocation.has("write") else { return }
    throw ToolFailure(
      .refused,
      code: "writeNotAllowed",
      "'fief \(invocation.command.name)' changes the store, but --write was not given.",
      next: "Add --write to confirm; 'fief backup' makes a copy first."
    )
  }

  /// Returns a progress bar on standard error, if that is a terminal.
  func progress(_ title: String, total: Int?) -> ProgressReporter? {
    io.error.terminal.isInteractive ? ProgressReporter(title, total: total, on: io.error) : nil
  }

  /// Returns the type with a name.
  ///
  /// - Parameter hint: further advice, used if the store does not have the type.
  /// - Throws: ``ToolFailure`` with the most similar name if the store does not have the type.
  func type(named name: String, in store: DynamicStore, hint: String? = nil) throws -> DynamicType {
    if let type = store.types.first(where: { $0.name == name }) { return type }
    let names = store.types.map(\.name)
    let nearest = NearestName.find(name, in: names).map { " Did you mean '\($0)'?" } ?? ""
    throw ToolFailure(
      .notFound,
      code: FiefError.Code.unknownType.rawValue,
      "The store has no type '\(Format.printable(name))'.\(nearest)",
      next: (hint.map { $0 + " " } ?? "") + "Its types are \(names.joined(separator: ", ")).",
      isChanged: nil
    )
  }
}
