import Fief
