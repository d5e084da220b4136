import FiefTorture

/// What is done to the key of a store.
enum KeyChange: String, CaseIterable, Sendable {
  /// `changeEncryptionKey`, again and again: it is one commit, and a kill has to meet it.
  case change
  case reencrypt
  case encrypt
  /// The first encryption, by the call that also opens the store.
  case open
  case decrypt

  var former: MarkedRepository.Key { self == .encrypt || self == .open ? .none : .former }
  var new: MarkedRepository.Key { self == .decrypt ? .none : .new }
  var times: Int { self == .change ? 16 : 1 }
  /// Whether the store is encrypted before and after it.
  var staysSealed: Bool { former != .none && new != .none }

  /// The key after so many times.
  func key(after times: Int) -> MarkedRepository.Key { times % 2 == 0 ? former : new }
}

/// What happens to one process that changes the key of a store.
struct KeyFault: Sendable, CustomStringConvertible {
  enum Kind: Sendable {
    /// It is killed so many microseconds after it has begun.
    case time(Int)
    /// A system call fails, or it is killed before one; the calls count from the beginning of the change.
    case call(CallFault)
    /// The disk has so many KiB left.
    case disk(Int)
    /// The power is cut: the state of a number, of the calls of a record.
    case cut(Int, record: String)
  }

  /// The defects of the control.
  enum Defect: String, CaseIterable, Sendable {
    /// A write is acknowledged before its commit.
    case early
    /// The store is decrypted, and then encrypted with the new key.
    case detour
  }

  let change: KeyChange
  let kind: Kind
  var defect: Defect?

  init(_ change: KeyChange, _ kind: Kind, _ defect: Defect? = nil) {
    self.change = change
    self.kind = kind
    self.defect = defect
  }

  /// The fault that `description` shows.
  init(_ arguments: Arguments) throws {
    guard let change = KeyChange(rawValue: arguments.text("change") ?? "") else {
      throw BrokenTest("a fault has --change, and --time, --call, --disk or --state")
    }
    self.change = change
    if let time = arguments.number("time") {
      kind = .time(time)
    } else if let disk = arguments.number("disk") {
      kind = .disk(disk)
    } else if let state = arguments.number("state"), let record = arguments.text("record") {
      kind = .cut(state, record: record)
    } else {
      kind = .call(try CallFault(arguments))
    }
    defect = arguments.text("defect").flatMap { Defect(rawValue: $0) }
  }

  var isKill: Bool {
    switch kind {
    case .time, .cut: true
    case .call(let fault): fault.mode == .kill
    case .disk: false
    }
  }

  /// The kind of the fault, for counts.
  var name: String {
    switch kind {
    case .time: "killed at a time"
    case .call(let fault): fault.mode == .kill ? "killed at a call" : "\(fault.errorName) \(fault.mode)"
    case .disk: "a full disk"
    case .cut: "a power cut"
    }
  }

  var description: String {
    let text =
      switch kind {
      case .time(let time): "--time \(time)"
      case .call(let fault): "\(fault)"
      case .disk(let left): "--disk \(left)"
      case .cut(let state, let record): "--state \(state) --record \(record)"
      }
    return "--change \(change.rawValue) \(text)" + (defect.map { " --defect \($0.rawValue)" } ?? "")
  }
}
