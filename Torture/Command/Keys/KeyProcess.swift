import Fief
import FiefTorture
import Foundation
import LMDB

/// A process that changes the key of a store while a thread of it writes.
///
/// It prints `begin N` and `done N` or `failed CODE …` for each change, `ack N` after each write, `refused CODE` for one that fails,
/// `took MICROSECONDS`, `call NAME` for the call that has failed, `wrong …`, and `end`.
final class KeyProcess: Sendable {
  private let change: KeyChange
  private let arguments: Arguments
  private let defect: KeyFault.Defect?
  private let vault: MarkedRepository
  private let beside: MarkedRepository?
  private let isEnding = OwnedLock(false)
  private let acknowledged = OwnedLock(0)
  private let writer = DispatchSemaphore(value: 0)

  private init(_ change: KeyChange, _ arguments: Arguments, in directory: String) {
    self.change = change
    self.arguments = arguments
    defect = arguments.text("defect").flatMap { KeyFault.Defect(rawValue: $0) }
    vault = MarkedRepository.vault(in: directory, change == .open ? .new : change.former)
    // The journal of a write to a store in clear is in clear.
    beside = change.former == .none ? nil : MarkedRepository.beside(in: directory)
  }

  static func run(_ arguments: Arguments) throws {
    guard let directory = arguments.rest.first,
      let change = KeyChange(rawValue: arguments.text("change") ?? "")
    else { throw BrokenTest("usage: key-change DIRECTORY --change NAME") }
    try KeyProcess(change, arguments, in: directory).run()
  }

  /// Makes the stores that the changes begin with.
  static func prepare(_ directory: String) throws {
    for key in [MarkedRepository.Key.none, .former] {
      let place = "\(directory)/\(key)"
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      let (vault, beside) = (MarkedRepository.vault(in: place, key), MarkedRepository.beside(in: place))
      try MarkedWrites.fill(vault, beside)
      vault.close()
      beside.close()
    }
    say("end")
  }

  private func run() throws {
    if arguments.text("fills") == "yes" {
      var vault = vault
      vault.key = change.former
      try MarkedWrites.fill(vault, beside ?? .beside(in: vault.directory ?? ""))
      vault.close()
      beside?.close()
    }
    if change != .open {
      try [vault, beside].forEach { if let error = $0?.store().openingError { throw error } }
    }
    Self.preloaded("torture_begin")
    Thread.detachNewThread { self.write() }
    let start = ContinuousClock.now
    for time in 0..<change.times {
      say("begin \(time)")
      do {
        try perform(time)
        say("done \(time)")
      } catch {
        note("failed", error)
        break
      }
    }
    say("took \(Int((ContinuousClock.now - start) / .microseconds(1)))")
    // The store goes on, whatever has happened to it.
    if let ballast = arguments.text("ballast") { try FileManager.default.removeItem(atPath: ballast) }
    if let name = Self.preloaded("torture_stop") { say("call \(name)") }
    let before = acknowledged.withLock { $0 }
    let limit = ContinuousClock.now + .seconds(ChildRun.hangLimit / 2)
    while acknowledged.withLock({ $0 }) < before + 3, .now < limit { usleep(1_000) }
    isEnding.withLock { $0 = true }
    writer.wait()
    if acknowledged.withLock({ $0 }) < before + 3 { say("wrong no write is done any more") }
    do {
      for problem in try vault.check().problems { say("wrong \(problem)".replacing("\n", with: " ")) }
    } catch { say("wrong check: \(error)".replacing("\n", with: " ")) }
    vault.close()
    beside?.close()
    say("end")
  }

  private func perform(_ time: Int) throws {
    let key = change.key(after: time + 1).encryption
    if change == .open { return try vault.encryptClearStore() }
    let store = vault.store()
    switch (change, key) {
    case (.change, let key?): try store.changeEncryptionKey(to: key)
    case (.reencrypt, let key?):
      guard defect == .detour else { return try store.reencrypt(with: key) }
      try store.decrypt()
      try store.encrypt(with: key)
    case (.encrypt, let key?): try store.encrypt(with: key)
    default: try store.decrypt()
    }
  }

  private func write() {
    var number = 1
    while !isEnding.withLock({ $0 }) {
      do {
        if defect == .early { say("ack \(number)") }
        if change == .open { try vault.encryptClearStore() }
        try MarkedWrites.perform(number, vault, beside)
        if defect != .early { say("ack \(number)") }
        acknowledged.withLock { $0 = number }
        number += 1
      } catch {
        note("refused", error)
        usleep(1_000)
      }
    }
    writer.signal()
  }

  private func note(_ word: String, _ error: any Error) {
    guard let error = error as? FiefError else {
      return say("wrong an error of no code: \(error)".replacing("\n", with: " "))
    }
    say("\(word) \(error.code.rawValue): \(error)".replacing("\n", with: " "))
  }

  /// Calls a function of failing_calls where that is preloaded.
  @discardableResult
  private static func preloaded(_ name: String) -> String? {
    guard let function = dlsym(nil, name) else { return nil }
    // SAFETY: the functions are those of failing_calls.c; what one without a result returns is not used.
    guard name == "torture_stop" else {
      unsafeBitCast(function, to: (@convention(c) () -> Void).self)()
      return nil
    }
    let stop = unsafeBitCast(function, to: (@convention(c) () -> UnsafePointer<CChar>?).self)
    return stop().map { String(cString: $0) }
  }
}
