import ChildProcesses
import FiefTorture
import Foundation

/// What must not be after a change of a key that was cut off.
struct KeyJudgement {
  private let fault: KeyFault
  private let lines: [String]
  private let failure: String?
  private(set) var outcome = Outcome("changes of keys")

  init(_ fault: KeyFault, _ process: KeyRuns.Ended) {
    self.fault = fault
    lines = process.lines
    failure = lines.first { $0.hasPrefix("failed ") }
    outcome.runs = 1
    outcome.counts["times \(fault.change.rawValue) with \(fault.name)"] = 1
    if let failure {
      let code = failure.split(separator: " ")[1].dropLast()
      outcome.counts["\(fault.change.rawValue) refused as \(code)"] = 1
    }
    if case .call(let call) = fault.kind, call.call > 0, process.report?.hasFailed != true {
      outcome.counts["times the fault was not reached"] = 1
    }
    if process.end != .exited(0), process.end != .signal(SIGKILL) || !fault.isKill {
      add("\(process.end)", lines.last ?? "")
    }
    for line in lines where line.hasPrefix("wrong ") { add("wrong", line) }
    if process.end == .exited(0), lines.last != "end" { add("output", lines.last ?? "") }
    // What fails may be what removes the copy; for want of space that does not fail.
    isClean = process.end == .exited(0) && !isInputOutput
  }

  /// Whether nothing may be left beside the stores when the process has ended.
  private var isClean = false
  private var isInputOutput: Bool {
    guard case .call(let call) = fault.kind else { return false }
    return call.error == EIO
  }

  private mutating func add(_ kind: String, _ text: String) {
    outcome.add(kind, text, repetition: "\(fault)")
  }

  /// The files that have values of a store in clear: its own, and that of the other store, which has had journals of writes to both.
  private static let clear = ["vault/data.mdb", "beside/data.mdb"]

  /// Looks at the files that the process has left.
  mutating func look(before files: MarkedFiles) {
    if isClean, !files.leftovers.isEmpty { add("left", files.leftovers.joined(separator: ", ")) }
    var allowed: [String] = []
    if fault.change.former == .none, !lines.contains("done 0") { allowed = ["vault/data.mdb"] }
    if fault.change == .decrypt { allowed = Self.clear + [".temporary-vault/data.mdb"] }
    let marked = files.marked.filter { !allowed.contains($0) }
    if !marked.isEmpty { add("in clear before the opening", marked.joined(separator: ", ")) }
  }

  /// Notes how a process that opened the stores has ended, which was killed, and should have ended by that.
  mutating func addOpening(_ end: ChildProcess.End, _ text: String) { add("\(end) of the opening", text) }

  /// Looks at what the stores have.
  mutating func look(at content: ChildRun) {
    for line in content.lines where line.hasPrefix("problem ") { add("inconsistent", line) }
    let words = content.lines.last?.split(separator: " ") ?? []
    guard content.end == .exited(0), words.count == 3, words[0] == "content", let number = Int(words[2])
    else {
      return add("the check: \(content.end)", content.lines.last ?? "")
    }
    key = "\(words[1])"
    outcome.counts["times \(fault.change.rawValue) was cut off with the \(words[1]) key", default: 0] += 1
    let acknowledged = lines.last { $0.hasPrefix("ack ") }.flatMap { Int($0.dropFirst(4)) } ?? 0
    // A write may be there whose acknowledgement is not.
    if number < acknowledged {
      add("lost", "\(acknowledged) writes were acknowledged, and \(number) are there")
    }
    if number > acknowledged + 1 { add("too much", "\(acknowledged) acknowledged, and \(number) are there") }
    let done = lines.count { $0.hasPrefix("done ") }
    let begun = lines.count { $0.hasPrefix("begin ") }
    var allowed = [fault.change.key(after: done)]
    let isOpen = failure?.hasPrefix("failed unknownOutcome") ?? true
    // A write after a call that has failed makes the call once more.
    if begun > done, isOpen || fault.change == .open { allowed.append(fault.change.key(after: begun)) }
    if !allowed.contains(where: { "\($0)" == key }) {
      add(
        "another key",
        "\(done) of \(begun) changes are done, \(failure ?? ""), and the store has the \(key) key"
      )
    }
  }

  /// The key that opens the store.
  private var key = ""

  /// Looks at the files after the store was opened and closed.
  mutating func look(after files: MarkedFiles) {
    if !files.leftovers.isEmpty { add("left after the opening", files.leftovers.joined(separator: ", ")) }
    let allowed = key == "none" ? Self.clear : []
    let marked = files.marked.filter { !allowed.contains($0) }
    if !marked.isEmpty { add("in clear", marked.joined(separator: ", ")) }
  }
}
