{-# LANGUAGE Strict #-}

module Main (main) where

import Control.Exception (evaluate)
import qualified Data.ByteString.Char8 as Text
import Data.ByteString.Builder (Builder, char7, hPutBuilder, string7)
import Data.IORef (newIORef, readIORef)
import GHC.Clock (getMonotonicTime)
import GHC.Exts (Any)
import System.Environment (getArgs)
import System.IO (BufferMode (BlockBuffering), hFlush, hSetBuffering, stdout)
import System.Mem (performMajorGC)
import Unsafe.Coerce (unsafeCoerce)

