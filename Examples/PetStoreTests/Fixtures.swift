import Foundation
import Testing

@testable import PetStoreKit

/// Text like that of a real package index.
enum Fixtures {
  static let index = """
    Package: 0ad
    Version: 0.0.26-3
    Installed-Size: 28591
    Maintainer: Debian Games Team <pkg-games-devel@lists.alioth.debian.org>
    Architecture: amd64
    Depends: 0ad-data (>= 0.0.26), 0ad-data (<= 0.0.26-3), libc6 (>= 2.34), fonts-a | ttf-b
    Pre-Depends: dpkg (>= 1.15.6~)
    Description: Real-time strategy game of ancient warfare
    Homepage: https://play0ad.com/
    Description-md5: d943033bedada21853d2ae54a2578a7b
    Tag: game::strategy, interface::graphical, role::program,
     uitoolkit::sdl, works-with::{audio,video},
     x11::application
    Section: games
    Priority: optional
    Size: 7891488

    Package: libc6
    Source: glibc (2.36-9+deb12u1)
    Version: 2.36-9
    Essential: no
    Installed-Size: 13088
    Maintainer: GNU Libc Maintainers <Debian-GLibC@lists.debian.org>
    Architecture: amd64
    Depends: libgcc-s1,
     libcrypt1 (>= 1:4.4.10-10~)
    Recommends: libidn2-0 (>= 2.0.5~), libnss-nis
    Provides: libc6-2.36, libc-abi (= 2.36)
    Description: GNU C Library: Shared libraries
    Section: libs
    Priority: optional

    Package: fonts-nötö
    Version: 1:2~rc1+dfsg-1.1
    Maintainer: Jürgen "JJ" Ångström (日本) <JJ@Example.ORG>
    Architecture: all
    Description: a name with odd characters — “quotes”, tab\tand emoji 🐶
    Section: non-free/fonts
    Priority: extra
    Installed-Size: 0

    Package: mailbox
    Version: 3
    Maintainer: Nobody In Particular
    Architecture: all
    Depends: python3:any (>= 3.11~), default-mta | mail-transport-agent
    Description: the last one

    """

  /// A part of a real index.
  static let packagesFile = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Tests/Fixtures/Packages.txt")

  static let currencies = Data(
    """
    {"4217": [{"alpha_3": "JPY", "name": "Yen", "numeric": "392"},
              {"alpha_3": "EUR", "name": "Euro", "numeric": "978"},
              {"alpha_3": "CHF", "name": "Swiss Franc", "numeric": "756"},
              {"alpha_3": "GBP", "name": "Pound Sterling", "numeric": "826"},
              {"alpha_3": "USD", "name": "US Dollar", "numeric": "840"},
              {"alpha_3": "KWD", "name": "Kuwaiti Dinar", "numeric": "414"}]}
    """.utf8
  )

  static let countries = Data(
    """
    {"3166-1": [{"alpha_2": "TW", "alpha_3": "TWN", "common_name": "Taiwan", "flag": "🇹🇼",
                 "name": "Taiwan, Province of China", "numeric": "158"},
                {"alpha_2": "FR", "alpha_3": "FRA", "name": "France", "numeric": "250"},
                {"alpha_2": "JP", "alpha_3": "JPN", "name": "Japan", "numeric": "392"},
                {"alpha_2": "CH", "alpha_3": "CHE", "name": "Switzerland", "numeric": "756"},
                {"alpha_2": "GB", "alpha_3": "GBR", "name": "United Kingdom", "numeric": "826"},
                {"alpha_2": "PT", "alpha_3": "PRT", "name": "Portugal", "numeric": "620"},
                {"alpha_2": "US", "alpha_3": "USA", "name": "United States", "numeric": "840"}]}
    """.utf8
  )

  /// A package as an index describes it, by the lines of its stanza.
  static func package(_ name: String, _ version: String = "1", _ fields: [String] = []) throws
    -> PackageRecord
  {
    let lines = ["Package: \(name)", "Version: \(version)", "Installed-Size: 10"] + fields
    var found: [Stanza] = []
    var parser = StanzaParser()
    parser.consume(Array((lines.joined(separator: "\n") + "\n").utf8)[...]) {
      if case .stanza(let stanza) = $0 { found.append(stanza) }
    }
    parser.finish { if case .stanza(let stanza) = $0 { found.append(stanza) } }
    return try PackageRecord(try #require(found.first))
  }

  /// Runs a body with a fresh directory, which is removed afterwards.
  static func withDirectory<T>(_ body: (URL) async throws -> T) async throws -> T {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "petstore tests ü \(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    return try await body(directory)
  }
}
