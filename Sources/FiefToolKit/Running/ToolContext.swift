import Fief
import FiefConsole

/// One run of a command: its arguments, its streams and the store.
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

  /// Refuses options that were given together though each of them says something else.
  ///
  /// - Throws: ``UsageError`` that names the first two.
  func refuseSeveral(of names: [String]) throws {
    let given = names.filter { invocation.has($0) }
    guard given.count > 1 else { return }
    throw UsageError(
      "'--\(given[0])' and '--\(given[1])' do not go together.",
      command: invocation.command.name
    )
  }

  /// Opens the store that the first word names.
  ///
  /// - Parameter mayBeClear: says whether the key of the command line may be for something else than the store.
  func open(
    forWriting: Bool = false,
    mayBeClear: () throws -> Bool = { false },
    verifiesCommit: Bool = true
  ) throws -> DynamicStore {
    let path = try StorePath.directory(of: invocation.word(0) ?? "")
    let verification: StoreOptions.Verification = invocation.has("no-verify") ? .quick : .full
    return try open(
      path,
      forWriting: forWriting,
      mayBeClear: mayBeClear,
      verification,
      verifiesCommit: verifiesCommit
    )
  }

  /// Opens a store with the key that the command line names, or that is asked for at the terminal.
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

  /// The key that the command line names, or that was typed; nil where there is none.
  func key() throws -> StoreEncryption? {
    try typed.value ?? StoreKeyOptions.named(by: invocation, in: io.environment)
  }

  /// The key that is typed at the terminal, once for everything.
  func key(askingFor name: String) -> StoreEncryption? {
    if typed.value == nil { typed.value = StoreKeyOptions.asked(for: name, on: io) }
    return typed.value
  }

  private final class TypedKey {
    var value: StoreEncryption?
  }

  /// Prints a document.
  func print(_ document: JSONValue) { output.line(document.pretty()) }

  /// Refuses to change anything without `--write`.
  func requireWrite(_ what: String) throws {
    guard !invocation.has("write") else { return }
    throw ToolFailure(
      .refused,
      code: "writeNotAllowed",
      "\(what) changes the store, and --write was not given.",
      next: "Add --write if you mean it; 'fief backup' makes a copy first."
    )
  }

  /// A progress bar on standard error, where that is a terminal.
  func progress(_ title: String, total: Int?) -> ProgressReporter? {
    io.error.terminal.isInteractive ? ProgressReporter(title, total: total, on: io.error) : nil
  }

  /// The type with a name.
  ///
  /// - Parameter hint: further advice, used if the store has none.
  /// - Throws: ``ToolFailure`` with the nearest name where the store has none.
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
