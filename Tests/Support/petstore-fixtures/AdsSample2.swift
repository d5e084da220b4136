import Fief
import PetStoreMigrations

/// Places of the same name in several markets, and markets of the same place.
enum AdsSample2 {
  static func fill(_ tx: WriteTransaction) throws {
    let counters: [(market: String, place: String, impressions: Int)] = [
      ("EUR", "top", 1000), ("EUR", "side", 1), ("JPY", "top", 0), ("", "plain", .max), ("größe", "日本/左", 5),
      ("", "", 2),
    ]
    for (index, entry) in counters.enumerated() {
      try tx.create(
        AdsVersion2.AdCounter.self,
        value: [
          "slot": "\(entry.market)/\(entry.place)", "market": entry.market, "place": entry.place,
          "impressions": entry.impressions, "clicks": index, "endsAt": Sample.date(Double(index) * 1e6),
        ]
      )
    }
  }
}
