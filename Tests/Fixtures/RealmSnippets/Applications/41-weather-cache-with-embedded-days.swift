import FiefRealm
import Foundation

class Forecast: Object {
  @Persisted(primaryKey: true) var city: String
  @Persisted var updated: Date
  @Persisted var days: List<ForecastDay>
}

class ForecastDay: EmbeddedObject {
  @Persisted var date: Date
  @Persisted var high: Float
  @Persisted var low: Float
}

func replaceDays(of forecast: Forecast, with highs: [Float]) throws {
  guard let realm = forecast.realm else { return }
  try realm.write {
    forecast.days.removeAll()
    for high in highs {
      forecast.days.append(ForecastDay(value: ["date": Date(), "high": high]))
    }
    forecast.updated = Date()
  }
  let warmest = forecast.days.max(of: \.high)
  print(warmest ?? 0, forecast.days.last?.low ?? 0)
}
