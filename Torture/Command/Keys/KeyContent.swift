import Fief
import FiefTorture
import Foundation

/// What a store has after a change of its key that was cut off: the key that opens it, and its writes.
struct KeyContent {
  private(set) var key: MarkedRepository.Key?
  private(set) var number = -1
  private(set) var problems: [String] = []

  /// Opens a store with each key, checks it, and writes to it.
  ///
  /// - Parameter isReversed: whether the keys are tried in the other order.
  init(directory: String, isReversed: Bool) {
    let keys: [MarkedRepository.Key] = [.none, .former, .new]
    var codes: [MarkedRepository.Key: FiefError.Code] = [:]
    for key in isReversed ? keys.reversed() : keys {
      let vault = MarkedRepository.vault(in: directory, key)
      let error = vault.store().openingError
      vault.close()
      if let error {
        codes[key] = error.code
      } else {
        if let known = self.key { problems.append("opens with \(known) and with \(key)") }
        self.key = key
      }
    }
    guard let key else {
      problems.append("opens with no key: \(codes.map { "\($0.key) \($0.value.rawValue)" }.sorted())")
      return
    }
    for (other, code) in codes {
      let expected: FiefError.Code = key == .none ? .notEncrypted : other == .none ? .encrypted : .wrongKey
      if code != expected { problems.append("\(other) is refused as \(code.rawValue)") }
    }
    do { try compare(.vault(in: directory, key), .beside(in: directory)) } catch {
      problems.append("\(error)")
    }
  }

  private mutating func compare(_ vault: MarkedRepository, _ beside: MarkedRepository) throws {
    // Opening a store completes its part of a write to several stores, so both are open before the first is checked.
    problems += try beside.check().problems.map { "beside: \($0)" }
    let report = try vault.check()
    problems += report.problems.map { "\($0)" } + report.unfinishedWrites.map { "an unfinished write: \($0)" }
    number = try MarkedWrites.number(in: vault)
    problems += try MarkedWrites.problems(in: vault, after: number).prefix(5)
    let joint = try MarkedWrites.number(in: beside)
    // A store in clear has no writes to several stores.
    if joint != MarkedWrites.lastJoint(number), joint != 0 {
      problems.append("\(number) writes are there, and the other store has \(joint)")
    }
    try MarkedWrites.perform(number + 1, vault, nil)
    vault.close()
    if try MarkedWrites.number(in: vault) != number + 1 { problems.append("a write is not there") }
    vault.close()
    beside.close()
  }

  static func show(_ arguments: Arguments) {
    let content = KeyContent(
      directory: arguments.rest.first ?? "",
      isReversed: arguments.text("reversed") == "yes"
    )
    for problem in content.problems { say("problem \(problem)".replacing("\n", with: " ")) }
    if let key = content.key { say("content \(key) \(content.number)") }
  }
}
