import Foundation
import TestEffort
import Testing

/// Damaged stores in a child process: no signal, no endless loop, no wrong value without an error.
///
/// The short form does each kind of damage once. `FIEF_DAMAGE_ROUNDS` is the number of damaged stores for each kind of opening, `FIEF_DAMAGE_SEED` the seed.
struct DamageTests {
  private static let environment = ProcessInfo.processInfo.environment

  /// - Parameter wholeBytes: up to which size a store is verified when it is opened; 0 for page by page.
  @Test(.timeLimit(.minutes(60)), arguments: [16 << 20, 0])
  func damageIsNeverSilent(wholeBytes: Int) throws {
    let directory = try TemporaryDirectory()
    let seed = Self.environment["FIEF_DAMAGE_SEED"] ?? String(UInt64.random(in: 1...1_000_000))
    let rounds = Self.environment["FIEF_DAMAGE_ROUNDS"] ?? "\(TestEffort.count(12, more: 24))"
    let child = try CrashChild("damage", directory[""], seed, rounds, "\(wholeBytes)")
    let (lines, end) = child.finish()
    let last = lines.last { $0.hasPrefix("round") } ?? ""
    #expect(end == .exited(0), "seed \(seed), \(last)")
    #expect(lines.last == "done \(rounds)", "seed \(seed)")
    #expect(lines.filter { $0.hasPrefix("WRONG") || $0.hasPrefix("failed") } == [], "seed \(seed)")
    #expect(
      lines.contains { $0.hasPrefix("outcome refused") } || lines.contains { $0.hasPrefix("outcome error") }
    )
  }
}
