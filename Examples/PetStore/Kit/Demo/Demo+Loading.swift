import Fief
import FiefConsole
import Foundation

extension Demo {
  /// Opens all stores; those of an earlier run are found as they were left.
  mutating func openStores() throws {
    let clock = ContinuousClock()
    let time = try clock.measure { try store.manager.openAll() }
    try showStores("1. Five stores, opened in \(Format.duration(time))")
    console.say("Each is a directory of its own with a schema of its own: no domain waits for another one.")
  }

  /// Loads currencies, countries and products.
  func loadCodes() async throws {
    console.heading("2. Currencies and countries from ISO, products from JSON")
    let codes = try ISOCodes.load()
    let clock = ContinuousClock()
    let time = try await clock.measure {
      try await store.payments.load(codes)
      try await store.payments.stock(fromJSON: DemoData.productsJSON())
    }
    let prices = try store.payments.priceList()
    console.say(
      "\(codes.currencies.count) currencies (ISO 4217), \(codes.countries.count) countries (ISO 3166) and "
        + "\(prices.count) products in \(Format.duration(time)). Some prices:"
    )
    var table = Table("key", "product", ">price", "currency")
    for price in prices where price.name == "Tennis ball" {
      table.add(price.sku, price.name, "\(price.price)", price.currency)
    }
    console.table(table)
  }

  /// Loads the machine's own package index.
  mutating func importPackages() async throws {
    console.heading("3. This machine's package index")
    let source = try PackageSource.find()
    if source.isInstalledOnly {
      console.say("There is no package index here, so these are the installed packages (\(source.name)).")
    } else {
      console.say("Read from \(source.name), a stanza at a time, while the last batch is written.")
    }
    let report = try await CatalogueImporter(into: store.catalogue)
      .run(source, limit: packageLimit, on: console)
    for line in report.lines() { console.say(line) }
    facts.importReport = report
  }
}
