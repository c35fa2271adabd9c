/** Lists of the panel share one shape (panel.md 3). */
import { arrayLists } from '#kernel/resource/array-lists'

/** The lists without filters. */
export const panelLists = arrayLists({})
