import FiefToolKit
import Testing
