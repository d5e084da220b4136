import Fief
import Foundation

/// One seed's random operations, on disk or in memory, in clear or encrypted.
package struct GraphRun: Sendable {
  package let seed: UInt64
  package let isInMemory: Bool
  package let operations: Int
  /// The directory of the store; nil for one that is removed again.
  package var directory: String?
  /// The key of the store; nil for a store in clear.
  package var encryption: StoreEncryption?

  package init(seed: UInt64, isInMemory: Bool, operations: Int) {
    self.seed = seed
    self.isInMemory = isInMemory
    self.operations = operations
  }

  private var place: String {
    (isInMemory ? "in memory" : "on disk") + (encryption == nil ? "" : ", encrypted")
  }

  package struct Failure: Error, CustomStringConvertible, Sendable {
    package let description: String
  }

  /// Runs until enough operations are done, and compares everything in the end.
  ///
  /// - Parameter faults: what lets calls fail; nothing where it is nil.
  /// - Throws: ``Failure`` with the seed, the last steps, and the fewest steps that were found to fail alike.
  package func run(isShrinking: Bool = true, faults: (any GraphFaults)? = nil) throws -> GraphDriver.Tally {
    var steps: [GraphStep] = []
    var lastFault = ""
    do {
      return try withDriver(directory) { driver in
        defer { lastFault = driver.lastFault }
        var generator = GraphGenerator(seed: seed)
        while driver.tally.operations < operations {
          let step = generator.step(driver.model)
          steps.append(step)
          if let faults {
            // All but what that write is about was compared, and it is counted.
            do { try driver.perform(step, faults) } catch is GraphUnread { return driver.tally }
          } else {
            try driver.perform(step)
          }
        }
        try driver.finish()
        return driver.tally
      }
    } catch {
      var text =
        "seed \(seed), \(place), step \(steps.count): \(error)\n"
      if !lastFault.isEmpty { text += "The last fault: \(lastFault)\n" }
      text += "The last steps:\n"
      text += steps.suffix(6).map { "  \($0.text)\n" }.joined()
      // Without the fault the steps do not fail.
      if isShrinking, lastFault.isEmpty {
        let fewest = shrink(steps)
        text += "Fewest steps (\(fewest.count)), which end with: \(failure(fewest) ?? "nothing")\n"
        text += fewest.map { "  \($0.text)\n" }.joined()
      }
      throw Failure(description: text)
    }
  }

  // MARK: Fewer steps

  private func failure(_ steps: [GraphStep]) -> String? {
    do {
      try withDriver { driver in
        for step in steps { try driver.perform(step) }
        try driver.finish()
      }
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// Leaves out steps, and parts of steps, as long as the rest fails. Every step can be done in every state.
  private func shrink(_ steps: [GraphStep]) -> [GraphStep] {
    let end = Date().addingTimeInterval(60)
    guard failure(steps) != nil else { return steps.suffix(6) }
    // A failure may have been there for a while before it was found.
    var (good, bad) = (0, steps.count)
    while bad - good > 1, Date() < end {
      let middle = (good + bad) / 2
      if failure(Array(steps.prefix(middle))) != nil { bad = middle } else { good = middle }
    }
    var steps = Array(steps.prefix(bad))
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
      var part = 0
      while let smaller = steps[index].without(part), Date() < end {
        var fewer = steps
        fewer[index] = smaller
        if failure(fewer) != nil { steps = fewer } else { part += 1 }
      }
    }
    return steps
  }

  private func withDriver<Value>(
    _ chosen: String? = nil,
    _ body: (GraphDriver) throws -> Value
  ) throws -> Value {
    let directory =
      chosen.map { URL(filePath: $0) }
      ?? Self.scratch.appendingPathComponent("fief-model-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { if chosen == nil { try? FileManager.default.removeItem(at: directory) } }
    let repository = GraphRepository(
      isInMemory: isInMemory,
      directory: directory.path,
      encryption: encryption
    )
    defer { repository.close() }
    if let error = repository.store().openingError { throw error }
    return try body(GraphDriver(repository))
  }

  /// The directory where commits do not wait for a disk, if there is one: a million of them would take hours.
  package static var scratch: URL {
    var isDirectory: ObjCBool = false
    let shared = "/dev/shm"
    if FileManager.default.fileExists(atPath: shared, isDirectory: &isDirectory), isDirectory.boolValue,
      FileManager.default.isWritableFile(atPath: shared)
    {
      return URL(filePath: shared)
    }
    return FileManager.default.temporaryDirectory
  }
}

extension GraphStep {
  /// The step as it would be written, with long texts cut.
  fileprivate var text: String {
    var text = "\(self)"
    for name in [
      "FiefModel.", "Fief.", "GraphHolding", "GraphChange", "GraphAssignment", "GraphEdit", "GraphDeletion",
      "Optional",
    ] {
      text = text.replacingOccurrences(of: name, with: "")
    }
    for place in GraphRelation.all.indices {
      let name = GraphRelation.all[place].side.name
      text = text.replacingOccurrences(of: ".link(\(place), ", with: ".\(name)(")
      text = text.replacingOccurrences(of: "relation: \(place),", with: "\(name),")
    }
    text = text.replacingOccurrences(of: "GraphLink(key: \"\", target: ", with: "(")
    let pieces = text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
    return pieces.map {
      $0.offset % 2 == 1 && $0.element.count > 24
        ? "\($0.element.prefix(12))…\($0.element.suffix(4))" : String($0.element)
    }
    .joined(separator: "\"")
  }

  /// The step without one of its parts; nil where there is no such part or it is the only one.
  fileprivate func without(_ part: Int) -> GraphStep? {
    switch self {
    case .write(var changes, let isAborted) where changes.count > 1 && part < changes.count:
      changes.remove(at: part)
      return .write(changes, isAborted: isAborted)
    case .dynamic(var changes) where changes.count > 1 && part < changes.count:
      changes.remove(at: part)
      return .dynamic(changes)
    case .save(var savings, let policy) where savings.count > 1 && part < savings.count:
      savings.remove(at: part)
      return .save(savings, policy)
    case .outlive(let refs, var changes, let survival) where changes.count > 1 && part < changes.count:
      changes.remove(at: part)
      return .outlive(refs, changes, survival)
    case .hold(let holding): return holding.without(part).map { .hold($0) }
    case .delete(var refs, let way) where refs.count > 1 && part < refs.count:
      refs.remove(at: part)
      return .delete(refs, way)
    default: return nil
    }
  }
}
