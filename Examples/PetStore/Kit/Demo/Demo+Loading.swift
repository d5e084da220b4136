import Fief
import FiefConsole
import Foundation

extension Demo {
  /// Opens all stores; those of an earlier run are found as they were left.
  mutating func openStores() throws {
    let clock = ContinuousClock()
    let time = try clock.measure { try store.manager.openAll() }
    try showStores("1. Six stores, opened in \(Format.duration(time))")
    console.say("Each has its own directory and its own schema: no domain waits for another.")
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
    let machine = Machine.this
    let source = try PackageSource.find(on: machine)
    let (catalogue, limit, console) = (store.catalogue, packageLimit, console)
    let read: @Sendable () async throws -> CatalogueImporter.Report = {
      console.say(
        source.isInstalledOnly
          ? "This machine has no package index, so these are the installed packages (\(source.name))."
          : "Read from \(source.name), a stanza at a time, while the previous batch is written."
      )
      return try await CatalogueImporter(into: catalogue).run(source, of: machine, limit: limit, on: console)
    }
    let state = try await catalogue.index(source.name, reading: read)
    for line in state.lines(source.name) { console.say(line) }
    guard case .read(let report) = state else { return }
    facts.importReport = report
    guard report.isComplete else { return }
    let clock = ContinuousClock()
    let time = try await clock.measure { _ = try await catalogue.index(source.name, reading: read) }
    console.say(
      "The index is a cache with a lifetime of a day: a second request is answered without reading the index, in \(Format.duration(time))."
    )
  }
}
