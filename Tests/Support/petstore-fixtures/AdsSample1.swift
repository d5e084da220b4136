import Fief
import PetStoreMigrations

/// Counters whose slots have a market, and some that have none.
enum AdsSample1 {
  static func fill(_ tx: WriteTransaction) throws {
    let counters: [(slot: String, impressions: Int, clicks: Int, seconds: Double)] = [
      ("EUR/top", 1000, 10, 600), ("EUR/thanks", 7, 0, 600), ("JPY/top", 0, 0, 0.5), ("plain", 3, 3, -86_400),
      ("CHF/side/left", 5, 1, 1e9), ("", .max, 0, 0), ("/Größe 日本", 1, 1, 1),
    ]
    for entry in counters {
      let counter = AdsVersion1.AdCounter()
      counter.slot = entry.slot
      counter.impressions = entry.impressions
      counter.clicks = entry.clicks
      counter.expiresAt = Sample.date(entry.seconds)
      try tx.add(counter, update: .error)
    }
  }
}
