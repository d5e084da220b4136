import Foundation
import Testing

@testable import PetStoreKit

@Suite("ISO codes") struct ISOCodesTests {
  private let currencies = Data(
    """
    {"4217": [{"alpha_3": "JPY", "name": "Yen", "numeric": "392"},
              {"alpha_3": "EUR", "name": "Euro", "numeric": "978"}]}
    """.utf8
  )
  private let countries = Data(
    """
    {"3166-1": [{"alpha_2": "TW", "alpha_3": "TWN", "common_name": "Taiwan", "flag": "🇹🇼",
                 "name": "Taiwan, Province of China", "numeric": "158"},
                {"alpha_2": "FR", "alpha_3": "FRA", "name": "France", "numeric": "250"}]}
    """.utf8
  )

  @Test("Codes are sorted, with their digits and their usual names")
  func values() throws {
    let codes = try ISOCodes(currencies: currencies, countries: countries)
    #expect(codes.currencies.map(\.code) == ["EUR", "JPY"])
    #expect(codes.currencies.map(\.fractionDigits) == [2, 0])
    #expect(codes.currencies.map(\.numeric) == ["978", "392"])
    #expect(codes.countries.map(\.name) == ["France", "Taiwan"])
    #expect(codes.countries.map(\.flag) == ["", "🇹🇼"])
  }

  @Test(
    "A document that is something else is an error that names the file",
    arguments: [
      "", "[]", "{}", "{\"4217\": []}", "{\"4217\": [{\"alpha_3\": \"EUR\"}]}",
      "{\"4217\": [{\"name\": \"Euro\"}]}",
      "{\"4217\": [{\"alpha_3\": \"eur\", \"name\": \"Euro\"}]}",
      "{\"4217\": [{\"alpha_3\": \"EURO\", \"name\": \"E\"}]}",
      "{\"4217\": [{\"alpha_3\": \"EUR\", \"name\": \"Euro\"",
    ]
  )
  func malformed(text: String) {
    let error = #expect(throws: InputError.self) {
      try ISOCodes(currencies: Data(text.utf8), countries: countries)
    }
    #expect(error?.description.contains("iso_4217.json") == true)
  }

  @Test("Without the files, the error says what to install")
  func missing() {
    let error = #expect(throws: InputError.self) { try ISOCodes.load(from: ["/nowhere"]) }
    #expect(error == .isoCodesMissing)
    #expect(error?.description.contains("apt-get install iso-codes") == true)
  }

  @Test(
    "The real files, where they are installed",
    .enabled(if: (try? ISOCodes.load()) != nil, "no iso-codes")
  )
  func real() throws {
    let codes = try ISOCodes.load()
    #expect(codes.currencies.count > 150)
    #expect(codes.countries.count > 240)
    #expect(codes.currencies.first { $0.code == "KWD" }?.fractionDigits == 3)
    #expect(Set(codes.countries.map(\.code)).count == codes.countries.count)
  }
}
