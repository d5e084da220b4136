import FiefRealm
import Foundation

func configureLogging() {
  Logger.shared.level = .trace
  Logger.shared.level = .off
}
