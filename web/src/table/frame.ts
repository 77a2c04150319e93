/** What the table leaves to the rest of the page: the bar above it, and on a wide screen the score sheet beside it. */
import type { Size } from './board/table-layout'

export const TOP_BAR = 48
export const SHEET_WIDTH = 340
/** From this width on the score sheet lies open beside the table. */
export const SHEET_FROM = 1100

export const hasSheetBeside = (screen: Size) => screen.width >= SHEET_FROM

export function tableSize(screen: Size): Size {
  return { width: screen.width - (hasSheetBeside(screen) ? SHEET_WIDTH : 0), height: screen.height - TOP_BAR }
}
