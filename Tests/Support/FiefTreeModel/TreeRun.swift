import Fief
import FiefModel
import FiefTree
import Foundation

/// One seed's random operations on a tree.
package struct TreeRun: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case inMemory = "in memory"
    case onDisk = "on disk"
    case encrypted
  }

  package struct Failure: Error, CustomStringConvertible, Sendable {
    package let description: String
  }

  package let seed: UInt64
  package let kind: Kind
  package let operations: Int
  /// The directory in which the store is created.
  package var directory = GraphRun.scratch

  package init(seed: UInt64, kind: Kind, operations: Int) {
    self.seed = seed
    self.kind = kind
    self.operations = operations
  }

  /// Performs the steps of the seed, compares everything at the end, and checks the store.
  ///
  /// - Parameter faults: makes calls fail, or `nil` if no call fails.
  /// - Throws: ``Failure`` with the seed and the last fault; without a fault, with the fewest steps that were
  ///   found to fail.
  package func run(isShrinking: Bool = true, faults: (any GraphFaults)? = nil) throws -> TreeDriver.Tally {
    var generator = TreeGenerator(seed: seed)
    let steps = (0..<operations).map { _ in generator.step() }
    var lastFault = ""
    do {
      return try perform(steps, faults, &lastFault)
    } catch {
      var text = "tree, seed \(seed), \(kind.rawValue): \(error)\n"
      if !lastFault.isEmpty { text += "The last fault: \(lastFault)\n" }
      // Without the fault the steps do not fail.
      if isShrinking, lastFault.isEmpty {
        let fewest = shrink(steps)
        text += "Fewest steps (\(fewest.count)), which end with: \(failure(fewest) ?? "nothing")\n"
        text += fewest.map { "  \($0)\n" }.joined()
      }
      throw Failure(description: text)
    }
  }

  private func perform(_ steps: [TreeStep], _ faults: (any GraphFaults)?, _ lastFault: inout String) throws
    -> TreeDriver.Tally
  {
    let place = directory.appendingPathComponent("fief-tree-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    let driver = TreeDriver(TreeModelRepository(kind: kind, place: place.path))
    defer { driver.repository.close() }
    defer { lastFault = driver.lastFault }
    for step in steps {
      if let faults { try driver.perform(step, faults) } else { try driver.perform(step) }
    }
    try driver.finish()
    return driver.tally
  }

  // MARK: Fewer steps

  private func failure(_ steps: [TreeStep]) -> String? {
    var lastFault = ""
    do { _ = try perform(steps, nil, &lastFault) } catch { return "\(error)" }
    return nil
  }

  /// Leaves out steps, and edits of steps, as long as the rest fails.
  private func shrink(_ all: [TreeStep]) -> [TreeStep] {
    let end = Date().addingTimeInterval(60)
    var steps = all
    var size = max(1, steps.count / 2)
    while true {
      var start = 0
      while start < steps.count, Date() < end {
        var fewer = steps
        fewer.removeSubrange(start..<min(start + size, steps.count))
        if failure(fewer) != nil { steps = fewer } else { start += size }
      }
      if size == 1 || Date() > end { break }
      size = max(1, size / 2)
    }
    for index in steps.indices {
      var edit = 0
      while let smaller = steps[index].without(edit), Date() < end {
        var fewer = steps
        fewer[index] = smaller
        if failure(fewer) != nil { steps = fewer } else { edit += 1 }
      }
    }
    return steps
  }
}
