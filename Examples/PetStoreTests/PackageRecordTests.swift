import Testing

@testable import PetStoreKit

@Suite("Packages from stanzas") struct PackageRecordTests {
  private func records() throws -> [PackageRecord] {
    var stanzas: [Stanza] = []
    var parser = StanzaParser()
    parser.consume(Array(Fixtures.index.utf8)[...]) {
      if case .stanza(let stanza) = $0 { stanzas.append(stanza) }
    }
    parser.finish { if case .stanza(let stanza) = $0 { stanzas.append(stanza) } }
    return try stanzas.filter { $0[.package] != "fonts-nötö" }.map { try PackageRecord($0) }
  }

  @Test("Every value of a stanza has its place")
  func values() throws {
    let game = try #require(try records().first)
    #expect(game.name == "0ad")
    #expect(game.version == "0.0.26-3")
    #expect(game.maintainer.name == "Debian Games Team")
    #expect(game.maintainer.email == "pkg-games-devel@lists.alioth.debian.org")
    #expect(game.installedSize == 28_591)
    #expect(game.downloadSize == 7_891_488)
    #expect(game.summary == "Real-time strategy game of ancient warfare")
    #expect(game.homepage == "https://play0ad.com/")
    #expect(game.source == "0ad")
    #expect(
      game.tags == [
        "game::strategy", "interface::graphical", "role::program", "uitoolkit::sdl",
        "works-with::{audio,video}", "x11::application",
      ]
    )
    #expect(game.depends.clauses.count == 4)
    #expect(game.preDepends.clauses.first?.first?.version == "1.15.6~")
    #expect(!game.isEssential)
  }

  @Test("A source of another version is named without it, and folded dependencies are read")
  func source() throws {
    let libc = try records()[1]
    #expect(libc.source == "glibc")
    #expect(libc.depends.clauses.map { $0[0].name } == ["libgcc-s1", "libcrypt1"])
    #expect(libc.provides.clauses.map { $0[0].name } == ["libc6-2.36", "libc-abi"])
    #expect(libc.downloadSize == 0)
  }

  @Test("A maintainer in any form has a name and an address")
  func maintainers() {
    let cases: [(String, String, String)] = [
      ("Jürgen  \"JJ\" Ångström (日本)\n <JJ@Example.ORG>", "Jürgen \"JJ\" Ångström (日本)", "jj@example.org"),
      ("Nobody In Particular", "Nobody In Particular", "Nobody In Particular"),
      ("<only@address.org>", "only@address.org", "only@address.org"),
      ("", "(nobody)", "(nobody)"),
      ("Odd <", "Odd <", "Odd <"),
      ("Odd <>", "Odd <>", "Odd <>"),
    ]
    for (text, name, email) in cases {
      let address = MaintainerAddress(text)
      #expect(address.name == name)
      #expect(address.email == email)
    }
  }

  @Test(
    "What is missing or wrong is named",
    arguments: [
      (Stanza(line: 7, fields: [.version: "1"]), StanzaProblem.Kind.missingField("package")),
      (Stanza(line: 7, fields: [.package: "a"]), .missingField("version")),
      (
        Stanza(line: 7, fields: [.package: "ä", .version: "1"]),
        .invalidField("package", reason: "'ä' is not a package name")
      ),
      (
        Stanza(line: 7, fields: [.package: "a", .version: "1", .size: "-1"]),
        .invalidField("size", reason: "not a size")
      ),
      (
        Stanza(line: 7, fields: [.package: "a", .version: "1", .installedSize: "99999999999999999999"]),
        .invalidField("installed-size", reason: "not a size")
      ),
      (
        Stanza(line: 7, fields: [.package: "a", .version: "1", .depends: "b (1)"]),
        .invalidField("depends", reason: "expected one of << <= = >= >> after 3 bytes")
      ),
    ]
  )
  func wrong(stanza: Stanza, kind: StanzaProblem.Kind) {
    let problem = #expect(throws: StanzaProblem.self) { try PackageRecord(stanza) }
    #expect(problem == StanzaProblem(kind: kind, line: 7))
  }

  @Test("Only what dpkg calls installed counts as installed")
  func installed() {
    #expect(PackageRecord.isInstalled(Stanza(line: 1, fields: [.status: "install ok installed"])))
    #expect(PackageRecord.isInstalled(Stanza(line: 1, fields: [.status: "hold ok installed"])))
    #expect(!PackageRecord.isInstalled(Stanza(line: 1, fields: [.status: "deinstall ok config-files"])))
    #expect(!PackageRecord.isInstalled(Stanza(line: 1, fields: [.status: "install ok not-installed"])))
    #expect(PackageRecord.isInstalled(Stanza(line: 1)))
  }
}
