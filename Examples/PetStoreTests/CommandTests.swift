import ChildProcesses
import Foundation
import TestEffort
import Testing

@testable import PetStoreKit

/// The program itself, run as people run it.
@Suite("The program") struct CommandTests {
  private func run(_ arguments: String...) throws -> ChildProcess.Outcome { try run(arguments) }

  private func run(_ arguments: [String]) throws -> ChildProcess.Outcome {
    try ChildProcess.run(ChildProcess.built("petstore"), arguments)
  }

  @Test("Help goes to the output, a mistake to the errors with status 2")
  func usage() throws {
    let help = try run("--help")
    #expect(help.status == 0)
    #expect(help.output.contains("petstore closure PACKAGE"))
    let mistake = try run("dance")
    #expect(mistake.status == 2)
    #expect(mistake.output.isEmpty)
    #expect(mistake.errors.contains("'dance'"))
  }

  @Test("What one process imports another one finds")
  func importAndClosure() async throws {
    try await Fixtures.withDirectory { directory in
      let index = directory.appending(path: "index")
      try Data(
        """
        Package: app
        Version: 1
        Depends: lib (>= 2)

        Package: lib
        Version: 2
        Installed-Size: 1024

        """.utf8
      ).write(to: index)
      let stores = directory.appending(path: "stores").path(percentEncoded: false)
      let loaded = try run("import", "--index", index.path(percentEncoded: false), "--directory", stores)
      #expect(loaded.status == 0, "\(loaded.errors)")
      #expect(loaded.output.contains("2 packages"))
      #expect(!loaded.output.contains("\u{1B}"))
      let closure = try run("closure", "app", "--directory", stores)
      #expect(closure.status == 0, "\(closure.errors)")
      #expect(closure.output.contains("1.0 MiB"))
      let unknown = try run("closure", "nothing", "--directory", stores)
      #expect(unknown.status == 1)
      #expect(unknown.errors.contains("'nothing'"))
    }
  }

  @Test("Usage is shown by store, class and command, and asking for it is none")
  func usageByLabel() async throws {
    try await Fixtures.withDirectory { directory in
      let index = directory.appending(path: "index")
      try Data("Package: app\nVersion: 1\nDepends: lib\n\nPackage: lib\nVersion: 2\n".utf8).write(to: index)
      let path = directory.appending(path: "stores").path(percentEncoded: false)
      let stores = ["--directory", path]
      let missing = try run(["stats"] + stores)
      #expect(missing.status == 1 && missing.errors.contains("no stores"))
      #expect(!FileManager.default.fileExists(atPath: path))
      #expect(
        try run(["import", "--index", index.path(percentEncoded: false)] + stores).status == 0
      )
      #expect(try run(["closure", "app"] + stores).status == 0)
      let stats = try run(["stats"] + stores)
      #expect(stats.status == 0, "\(stats.errors)")
      #expect(try run(["stats"] + stores).output == stats.output)
      let lines = stats.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
      func counts(_ name: [String]) throws -> [String] {
        let line = try #require(lines.first { $0.starts(with: name) }, "\(stats.output)")
        return Array(line.dropFirst(name.count).prefix(3))
      }
      #expect(try #require(Int(try counts(["Package"])[1])) >= 2)
      // The library stores the index that the import has fetched, in a task without a label.
      let written = try (counts(["label", "import"]) + counts(["catalogue", "all"])).map(Int.init)
      #expect(written[4] == written[1].map { $0 + 1 } && written[5] == written[2])
      #expect(try counts(["label", "closure"])[1...] == ["0", "0"])
      #expect(try counts(["label", "closure"])[0] != "0")
      #expect(!stats.output.contains("payments"))
    }
  }

  @Test("What depends on what, and what goes with a maintainer")
  func catalogue() async throws {
    try await Fixtures.withDirectory { directory in
      let index = directory.appending(path: "index")
      try Data(
        """
        Package: app
        Version: 1
        Maintainer: Ann <ann@example.org>
        Depends: lib (>= 2), gone | mta
        Recommends: extra

        Package: lib
        Version: 2
        Maintainer: The Team <t@example.org>

        Package: amail
        Version: 1
        Maintainer: The Team <t@example.org>
        Depends: lib
        Provides: mta

        Package: plain
        Version: 1
        Maintainer: Ann <other@example.org>

        """.utf8
      ).write(to: index)
      let stores = ["--directory", directory.appending(path: "stores").path(percentEncoded: false)]
      #expect(
        try run(["import", "--index", index.path(percentEncoded: false)] + stores).status == 0
      )
      let direct = try run(["catalogue", "depends", "app"] + stores)
      #expect(direct.status == 0, "\(direct.errors)")
      #expect(direct.output.contains(try Regex("Depends +lib \\(>= 2\\) +lib")))
      #expect(direct.output.contains(try Regex("Depends +gone \\| mta +amail")))
      #expect(!direct.output.contains("extra"))
      let recommended = try run(["catalogue", "depends", "app", "--recommends"] + stores)
      #expect(recommended.output.contains(try Regex("Recommends +extra +nothing provides it")))
      let closure = try run(["catalogue", "depends", "app", "--recursive"] + stores)
      #expect(closure.output.contains("3 packages"))
      let reverse = try run(["catalogue", "depends", "amail", "--reverse"] + stores)
      #expect(reverse.output.contains(try Regex("1 +app +mta")))
      let all = try run(["catalogue", "depends", "lib", "--reverse", "--recursive"] + stores)
      #expect(all.output.contains("2 packages, 1 steps back"), "\(all.output)")
      let unknown = try run(["catalogue", "depends", "nothing", "--reverse"] + stores)
      #expect(unknown.status == 1 && unknown.errors.contains("'nothing'"))

      let preview = try run(["catalogue", "remove-maintainer", "THE team", "--dry-run"] + stores)
      #expect(preview.status == 0, "\(preview.errors)")
      #expect(preview.output.contains("deletes 2 packages"))
      #expect(preview.output.contains("1 packages of others stay, but lose 1 dependencies"))
      #expect(preview.output.contains("Nothing was removed."))
      let several = try run(["catalogue", "remove-maintainer", "ann"] + stores)
      #expect(several.status == 1 && several.errors.contains("ann@example.org, other@example.org"))
      #expect(try run(["catalogue", "remove-maintainer", "nobody"] + stores).status == 1)
      let removal = try run(["catalogue", "remove-maintainer", "t@example.org"] + stores)
      #expect(removal.output.contains("2 packages were removed."))
      let rest = try run(["catalogue", "depends", "app"] + stores)
      #expect(rest.output.contains(try Regex("Depends +lib \\(>= 2\\) +nothing provides it")))
    }
  }

  @Test("Who has stores of version 1 goes on with them")
  func oldStores() throws {
    try FixtureStores.with(["auth", "pets", "payments", "catalogue"], version: 1) { directory in
      for _ in 1...2 {
        let closure = try run("closure", "bash", "--directory", directory)
        #expect(closure.status == 0, "\(closure.errors)")
        #expect(closure.output.contains("2:2.36~rc1-9+b1"))
      }
      let pets = PetRepository(directory: directory)
      defer { pets.close() }
      try FixtureStores.check(pets, version: 3)
    }
  }

  @Test("Orders reported before a SIGKILL are all there, and no dog is sold by half, three times in a row")
  func killed() async throws {
    try await Fixtures.withDirectory { directory in
      let program = try ChildProcess.built("petstore")
      let path = directory.path(percentEncoded: false)
      let store = try PetStore.encrypted(in: path)
      try await store.payments.load(
        try ISOCodes(currencies: Fixtures.currencies, countries: Fixtures.countries)
      )
      try await store.payments.stock(fromJSON: DemoData.productsJSON())
      store.manager.close()
      var first = 1
      for count in [1, 60, TestEffort.count(60, more: 200)] {
        let reported = try await OrderWriter.orders(
          from: program,
          directory: path,
          first: first,
          killedAfter: count
        )
        #expect(reported.count >= count)
        let found = try store.payments.totals(ofOrders: reported.keys)
        #expect(found == reported)
        let last = try store.payments.lastOrderNumber()
        let dogs = OrderWriter.dogs(first: first, last: last)
        let sales = try store.sales(of: dogs)
        #expect(sales.halves == 0)
        #expect(sales.complete >= dogs.keys.count { reported[$0] != nil })
        #expect(sales.complete > 0 || count < 60)
        #expect(try store.pets.homelessDogs() >= sales.waiting)
        let accounts = try store.payments.pointsAccounts()
        #expect(accounts.count >= reported.count && accounts.values.allSatisfy(\.isBalanced))
        #expect(try store.payments.check().problems.isEmpty)
        #expect(try store.pets.check().problems.isEmpty)
        first = last + 1
        store.manager.close()
      }
    }
  }

  @Test("A child that ends by itself is an error, and a cut line was not reported")
  func deadChild() async throws {
    await #expect(throws: InputError.self) {
      try await OrderWriter.orders(from: "/bin/true", directory: "x", first: 1, killedAfter: 1)
    }
    #expect(OrderWriter.orders(in: ["1 2.50", "2 3", "odd"]) == [1: 2.5, 2: 3])
    // The shell writes two lines and a part of a third one, and waits to be killed.
    let shell = try ReportingProcess("/bin/sh", ["-c", "printf '1 2\\n2 3\\n3 4.'; exec sleep 60"])
    #expect(try await shell.lines(killedAfter: 2) == ["1 2", "2 3"])
    await #expect(throws: InputError.self) {
      _ = try await ReportingProcess("/nowhere/petstore", []).linesUntilEnd()
    }
  }
}
