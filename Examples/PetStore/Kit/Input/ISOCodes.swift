import Foundation

/// The currencies of ISO 4217 and the countries of ISO 3166-1, from Debian's package iso-codes.
struct ISOCodes: Sendable {
  /// A currency of ISO 4217.
  struct CurrencyCode: Sendable, Equatable {
    /// Three letters: `EUR`.
    var code: String
    /// Three digits: `978`.
    var numeric: String
    /// The name in English: `Euro`.
    var name: String
    /// The number of digits after the point in an amount: 2, but 0 for JPY and 3 for KWD.
    var fractionDigits: Int
  }

  /// A country or territory of ISO 3166-1.
  struct CountryCode: Sendable, Equatable {
    /// Two letters: `FR`.
    var code: String
    /// Three letters: `FRA`.
    var alpha3: String
    /// The usual name in English.
    var name: String
    /// The flag as an emoji; empty where the file has none.
    var flag: String
  }

  var currencies: [CurrencyCode]
  var countries: [CountryCode]

  /// The directories in which Debian's package iso-codes, Fedora's and Homebrew's have their files.
  static let directories = [
    "/usr/share/iso-codes/json", "/usr/local/share/iso-codes/json", "/opt/homebrew/share/iso-codes/json",
  ]

  /// Reads both lists from the first directory that has them.
  ///
  /// - Throws: ``InputError``: ``InputError/isoCodesMissing`` when no directory has the files, and
  ///   ``InputError/malformed(name:reason:)`` when one is not what it should be.
  static func load(from directories: [String] = directories) throws(InputError) -> ISOCodes {
    for directory in directories {
      let folder = URL(filePath: directory, directoryHint: .isDirectory)
      guard let currencies = try? Data(contentsOf: folder.appending(path: "iso_4217.json")),
        let countries = try? Data(contentsOf: folder.appending(path: "iso_3166-1.json"))
      else { continue }
      return try ISOCodes(currencies: currencies, countries: countries)
    }
    throw .isoCodesMissing
  }

  /// Reads the two documents; codes come in the order of their letters.
  init(currencies: Data, countries: Data) throws(InputError) {
    let money = try Self.entries(currencies, under: "4217", name: "iso_4217.json")
    let places = try Self.entries(countries, under: "3166-1", name: "iso_3166-1.json")
    self.currencies = try money.map { entry throws(InputError) in
      let code = try Self.code(entry.alpha_3, letters: 3, name: "iso_4217.json")
      return CurrencyCode(
        code: code,
        numeric: entry.numeric ?? "",
        name: entry.name,
        fractionDigits: Self.fractionDigits[code] ?? 2
      )
    }.sorted { $0.code < $1.code }
    self.countries = try places.map { entry throws(InputError) in
      CountryCode(
        code: try Self.code(entry.alpha_2, letters: 2, name: "iso_3166-1.json"),
        alpha3: try Self.code(entry.alpha_3, letters: 3, name: "iso_3166-1.json"),
        name: entry.common_name ?? entry.name,
        flag: entry.flag ?? ""
      )
    }.sorted { $0.code < $1.code }
  }

  /// An entry of either file, in the files' own spelling.
  private struct Entry: Decodable {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var alpha_2: String?
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var alpha_3: String?
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var common_name: String?
    var flag: String?
    var name: String
    var numeric: String?
  }

  private static func entries(
    _ data: Data,
    under key: String,
    name: String
  ) throws(InputError) -> [Entry] {
    let document: [String: [Entry]]
    do {
      document = try JSONDecoder().decode([String: [Entry]].self, from: data)
    } catch {
      throw .malformed(name: name, reason: "not a JSON list of codes")
    }
    guard let entries = document[key], !entries.isEmpty else {
      throw .malformed(name: name, reason: "no list named \(key)")
    }
    return entries
  }

  private static func code(
    _ text: String?,
    letters: Int,
    name: String
  ) throws(InputError) -> String {
    guard let text, text.utf8.count == letters, text.utf8.allSatisfy({ $0 >= 65 && $0 <= 90 }) else {
      throw .malformed(name: name, reason: "'\(text ?? "")' is not a code of \(letters) letters")
    }
    return text
  }

  /// The minor units that are not two digits: ISO 4217 has them, the files of iso-codes do not.
  private static let fractionDigits = [
    "BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "ISK": 0, "JPY": 0, "KMF": 0, "KRW": 0, "PYG": 0, "RWF": 0,
    "UGX": 0, "UYI": 0, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0, "BHD": 3, "IQD": 3, "JOD": 3,
    "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3, "CLF": 4, "UYW": 4,
  ]
}
