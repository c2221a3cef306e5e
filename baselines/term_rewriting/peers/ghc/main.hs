
-- The input is a file, its symbols after their arguments. Each line `run` rewrites it once.

data Term = Value Any | Apply Int [Term]

normalForm :: Term -> Any
normalForm (Value value) = value
normalForm (Apply symbol arguments) = apply symbol (map normalForm arguments)
{-# NOINLINE normalForm #-}

codes :: Text.ByteString -> [Int]
codes text
  | not wide = map code (Text.unpack text)
  | otherwise = pairs (map code (Text.unpack text))
  where
    code letter = maybe (error "no symbol") id (Text.elemIndex letter alphabet)
    pairs (low : high : rest) = low + Text.length alphabet * high : pairs rest
    pairs _ = []

readTerm :: [Int] -> Term
readTerm = go []
  where
    go [term] [] = term
    go stack (symbol : rest) =
      let arity = arities symbol
          arguments = reverse (take arity stack)
          term
            | isDefined symbol || not (all isValue arguments) = Apply symbol arguments
            | otherwise = Value (apply symbol (map normalForm arguments))
       in go (term : drop arity stack) rest
    go _ [] = error "not a term"
    isValue (Value _) = True
    isValue _ = False

main :: IO ()
main = do
  files <- getArgs
  text <- Text.readFile (head files)
  let symbols = codes text
      root = last symbols
  input <- newIORef (readTerm symbols)
  hSetBuffering stdout (BlockBuffering Nothing)
  let serve = do
        line <- getLine
        term <- readIORef input
        if line == "run"
          then do
            performMajorGC
            start <- getMonotonicTime
            _ <- evaluate (normalForm term)
            end <- getMonotonicTime
            print (end - start)
            hFlush stdout
            serve
          else hPutBuilder stdout (printed root (normalForm term) <> char7 '\n')
  serve
