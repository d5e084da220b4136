import FiefModel
import FiefTorture
import FiefTreeModel
import Foundation

/// A process that writes the same to a store and to a model of it, first a graph and then a tree, and lets its own system calls fail meanwhile.
enum ModelProcess {
  /// What a control has the process do wrong.
  enum Defect: String { case none, lies, rules }

  static func run(_ arguments: Arguments) throws {
    guard let directory = arguments.rest.first, let seed = arguments.number("seed"),
      let defect = Defect(rawValue: arguments.text("defect") ?? "none")
    else { throw BrokenTest("usage: model DIRECTORY --seed SEED") }
    // The numbers of the next seed are those of this one, but for the first.
    var seeds = TortureRandom(seed: seed)
    var random = TortureRandom(seed: Int(truncatingIfNeeded: seeds.next() as UInt64))
    var variation = GraphVariation(seed: random.next())
    if arguments.text("shown") == "yes" { say("\(variation)") }
    if defect == .rules { variation.bend() }
    variation.use()
    let isInMemory = random.chance(5) && defect != .lies
    var run = GraphRun(
      seed: random.next(),
      isInMemory: isInMemory,
      operations: arguments.number("operations") ?? 400
    )
    run.directory = directory
    let faults = try isInMemory || defect == .rules ? nil : StepFaults(random, isLying: defect == .lies)
    compare(faults) { show(try run.run(isShrinking: defect == .none, faults: faults)) }
    // The rules of relationships are no part of a tree.
    if defect != .rules {
      var tree = TreeRun(
        seed: UInt64(random.next(1 << 40)),
        kind: isInMemory ? .inMemory : random.chance(2) ? .onDisk : .encrypted,
        operations: run.operations / 4
      )
      tree.directory = URL(filePath: directory)
      // The run waits for indexes, which the threads of Swift's tasks build.
      WorkerThreads.run(1) { [tree, random] _ in
        let faults = isInMemory ? nil : try? StepFaults(random, isLying: defect == .lies)
        compare(faults) { show(try tree.run(isShrinking: defect == .none, faults: faults)) }
      }
    }
    say("end")
  }

  private static func compare(_ faults: StepFaults?, _ run: () throws -> Void) {
    do { try run() } catch {
      let lines = "\(error)".split(separator: "\n", omittingEmptySubsequences: true)
      let kind = faults?.hasFailed ?? false ? "after-a-fault" : "other-than-model"
      say("wrong \(kind) \(lines.prefix(3).joined(separator: "; "))")
      for line in lines { say("  \(line)") }
    }
  }

  private static func show(_ tally: GraphDriver.Tally) {
    let counts = [
      ("operations", tally.operations), ("commits", tally.commits), ("objects compared", tally.compared),
      ("deletions denied", tally.denied), ("writes with wrong relationships", tally.invalid),
      ("writes with duplicates", tally.duplicates), ("steps in which a call failed", tally.faults),
      ("writes that were done all the same", tally.faultsInDone),
      ("writes that failed by it", tally.faultsInFailed),
      ("writes of unknown outcome", tally.unknown), ("stores opened again after it", tally.reopened),
      ("stores that a write opened again", tally.healed),
      ("differences after failed reads that were gone with another opening", tally.unread),
      ("runs that end at a write of what could not be read", tally.unreadWrites),
    ]
    show(counts)
  }

  private static func show(_ tally: TreeDriver.Tally) {
    show([
      ("operations on trees", tally.steps), ("commits of trees", tally.commits),
      ("values and answers of trees compared", tally.compared + tally.questions),
      ("copies of observed trees compared", tally.delivered),
      ("steps of trees in which a call failed", tally.faults),
      ("writes of trees that were done all the same", tally.faultsInDone),
      ("writes of trees of unknown outcome", tally.unknown),
    ])
  }

  private static func show(_ counts: [(name: String, count: Int)]) {
    for (name, count) in counts where count > 0 { say("count \(count) \(name)") }
  }
}
