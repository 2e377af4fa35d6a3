let segmenter: Intl.Segmenter | undefined

/** The text's graphemes. Made on first use: it takes longer than a small tool runs. */
export const graphemes = (text: string): Intl.Segments => {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" })
  return segmenter.segment(text)
}
