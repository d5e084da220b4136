import Fief
import FiefConsole
import Foundation
import TestEffort
import Testing

/// A damaged file never ends the tool by itself: each verb says so, or does its work.
@Suite("Damaged stores") struct DamageTests {
  private static let known: [FiefConsole.ExitStatus] = [.done, .failed, .refused, .damaged, .notFound]

  @Test("Flipped bytes in every part of a file", arguments: ["pets", "payments", "catalogue"])
  func flips(domain: String) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = EveryTypeValues(seed: seed)
    try ToolStores.withDirectory { directory in
      let store = try ToolStores.copy(domain, version: 3, to: directory)
      let file = URL(filePath: store + "/data.mdb")
      let whole = try Data(contentsOf: file)
      let types = try DynamicStore(directory: store).types.filter { !$0.isEmbedded }.map(\.name)
      var found = 0
      for round in 0..<TestEffort.count(25, more: 50) {
        var data = whole
        for _ in 0...random.below(3) {
          // Half of them in the heads of pages, where LMDB believes every bit.
          let page = random.below(data.count / 4096) * 4096
          let offset = page + (random.bool() ? random.below(48) : random.below(4096))
          data[offset] ^= UInt8(1 << random.below(8))
        }
        try data.write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: store + "/data.mdb")
        let commands = [
          ["info", store], ["check", store], ["stats", store], ["schema", store], ["export", store],
          ["export", store, "--skip-damaged"], ["list", store, types[round % types.count], "-n", "0"],
        ]
        // In the short form each round has about a half of the other commands.
        for command in commands where TestEffort.isLong || command[0] == "check" || random.bool() {
          let run = ToolRun(command)
          #expect(Self.known.contains(run.status), "seed \(seed), round \(round), \(command)")
          if command[0] == "check", run.status == .damaged { found += 1 }
          if run.status != .done { #expect(!run.errors.isEmpty || command[0] == "check", "seed \(seed)") }
        }
      }
      // Most flips are in what a store needs; some are in pages or bytes without a meaning.
      #expect(found > TestEffort.count(2, more: 10), "seed \(seed)")
    }
  }

  @Test("A damaged record: the check names it, and an export leaves it out if asked to")
  func record() throws {
    try ToolStores.withDirectory { directory in
      let store = try ToolStores.copy("pets", to: directory)
      let file = URL(filePath: store + "/data.mdb")
      var data = try Data(contentsOf: file)
      // Inside of the text of a record.
      let range = try #require(data.range(of: Data("squeaky".utf8)))
      data[range.lowerBound + 2] ^= 1
      try data.write(to: file)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: store + "/data.mdb")
      let check = ToolRun("check", store)
      #expect(check.status == .damaged)
      #expect(check.output.contains("pets is damaged: 16 records and 29 entries"))
      #expect(check.output.contains("  - DogToy[2]: damagedRecord: The checksum of a record is wrong."))
      #expect(check.output.contains("--skip-damaged'."))
      #expect(ToolRun("check", "--quick", store).status == .done)
      let get = ToolRun("get", store, "DogToy", "2")
      #expect(get.status == .damaged)
      #expect(get.errors.contains("  key: 2\n"))
      #expect(ToolRun("get", store, "DogToy", "1").status == .done)
      let export = ToolRun("export", store, "DogToy")
      #expect(export.status == .damaged)
      let rest = ToolRun("export", store, "DogToy", "--skip-damaged")
      #expect(rest.status == .damaged)
      #expect(rest.lines.count == 3)
      #expect(rest.errors == "skipped DogToy 2: The checksum of a record is wrong.\n")
    }
  }

  @Test("A damaged page: a full check goes on, and an export saves the objects before and after it")
  func page() throws {
    try ToolStores.withDirectory { directory in
      let store = try ToolStores.copy("pets", to: directory)
      let toys = (0..<2000).map { "{\"kind\":\"kind \($0)\"}" }.joined(separator: "\n")
      #expect(ToolRun(["import", store, "DogToy"], input: toys).status == .done)
      // Leaves no former versions of pages in the file.
      #expect(ToolRun("compact", store, "--write").status == .done)
      let all = ToolRun("export", store)
      let file = URL(filePath: store + "/data.mdb")
      var data = try Data(contentsOf: file)
      let range = try #require(data.range(of: Data("kind 1000".utf8)))
      let page = range.lowerBound / 4096 * 4096
      // The end of the page's list of entries.
      data.replaceSubrange(page + 12..<page + 14, with: [0xFF, 0xFF])
      try data.write(to: file)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: store + "/data.mdb")
      for command in [["check", store], ["check", store, "--no-verify"]] {
        let check = ToolRun(command)
        #expect(check.status == .damaged && check.errors == "", "\(check.errors)")
        #expect(check.output.hasPrefix("pets is damaged: "))
        #expect(check.output.contains("  - the pages are damaged: "))
        #expect(check.output.contains("  - DogToy: damagedStore: "))
        #expect(check.output.contains("--skip-damaged'."))
      }
      let document = try ToolRun("check", store, "--json").json()
      #expect(document["isWhole"] as? Bool == false && document["entriesOfAllTrees"] is NSNull)
      let quick = ToolRun("check", "--quick", store)
      #expect(quick.status == .damaged && !quick.errors.contains("fief check"), "\(quick.errors)")
      #expect(ToolRun("export", store).status == .damaged)
      for command in [
        ["export", store, "--skip-damaged"], ["export", store, "--skip-damaged", "--no-verify"],
      ] {
        let rest = ToolRun(command)
        #expect(rest.status == .damaged)
        let (before, after) = (all.lines, rest.lines)
        let saved = Set(after)
        let lost = before.filter { !saved.contains($0) }
        #expect(!lost.isEmpty && lost.count < 300)
        #expect(lost.allSatisfy { $0.contains("DogToy") } && lost.contains { $0.contains("kind 1000") })
        #expect(after == before.filter { saved.contains($0) })
        let errors = rest.errors
        #expect(errors.contains(#/^skipped DogToy between [0-9]+ and [0-9]+: /#), "\(errors)")
      }
    }
  }
}
