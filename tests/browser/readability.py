"""Measures of a page: the contrast of each text, texts that are cut, and the width of the page."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

# A canvas parses colours in every notation; the layers of a background are blended.
CONTRASTS = """(roots) => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 1;
    const pen = canvas.getContext('2d', { willReadFrequently: true });
    const known = new Map();
    const read = (colour) => {
        if (!known.has(colour)) {
            pen.clearRect(0, 0, 1, 1);
            pen.fillStyle = '#000';
            pen.fillStyle = colour;
            pen.fillRect(0, 0, 1, 1);
            const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
            known.set(colour, [r, g, b, a / 255]);
        }
        return known.get(colour);
    };
    const over = (top, ground, alpha) => [0, 1, 2].map((i) => top[i] * alpha + ground[i] * (1 - alpha));
    const groundOf = (element) => {
        const layers = [];
        for (let at = element; at; at = at.parentElement) {
            const colour = read(getComputedStyle(at).backgroundColor);
            layers.push(colour);
            if (colour[3] === 1) break;
        }
        return layers.reverse().reduce((ground, layer) => over(layer, ground, layer[3]), [255, 255, 255]);
    };
    const light = (colour) => {
        const [r, g, b] = colour.map((c) => c / 255)
            .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const texts = [];
    for (const root of document.querySelectorAll(roots)) {
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const element = node.parentElement;
            const words = node.textContent.trim();
            if (!words || !element.getClientRects().length || element.closest('style')) continue;
            const ground = groundOf(element);
            let [r, g, b, alpha] = read(getComputedStyle(element).color);
            for (let at = element; at && at !== root; at = at.parentElement) alpha *= getComputedStyle(at).opacity;
            const ink = over([r, g, b], ground, alpha);
            const [a, c] = [light(ink), light(ground)].sort((x, y) => y - x);
            const colour = getComputedStyle(element).color;
            texts.push({ words: words.slice(0, 60), contrast: (a + 0.05) / (c + 0.05), colour });
        }
    }
    return texts;
}"""
# A text that is wider than its box must be accessible by scrolling.
CUT_TEXTS = """(roots) => {
    const found = [];
    for (const root of document.querySelectorAll(roots)) {
        for (const element of [root, ...root.querySelectorAll('*')]) {
            const { overflowX, textOverflow } = getComputedStyle(element);
            const beyond = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0;
            if (beyond && (overflowX === 'hidden' || overflowX === 'clip' || textOverflow === 'ellipsis')) {
                found.push(element.textContent.trim().slice(0, 60));
            }
        }
    }
    return found;
}"""
OVERFLOW = "document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth"
# In a picture the background of a text is the last rectangle before it that is under its centre.
PICTURE_TEXTS = """() => {
    const light = (colour) => {
        const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map((c) => c / 255)
            .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const all = [...document.querySelectorAll('rect,text')];
    return all.filter((one) => one.tagName === 'text').map((text) => {
        const box = text.getBoundingClientRect();
        const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
        const under = all.slice(0, all.indexOf(text)).filter((one) => {
            const place = one.getBoundingClientRect();
            return one.tagName === 'rect' && place.left <= x && x <= place.right && place.top <= y && y <= place.bottom;
        }).at(-1);
        const place = under.getBoundingClientRect();
        const [a, b] = [text, under].map((one) => light(getComputedStyle(one).fill)).sort((x, y) => y - x);
        return {
            words: text.textContent, contrast: (a + 0.05) / (b + 0.05),
            inside: place.left <= box.left + 1 && box.right <= place.right + 1,
        };
    });
}"""
# The letters of pictures have 12 pixels, multiplied by the scale of the picture.
SMALL_LETTERS = """(pictures) => [...document.querySelectorAll(pictures)]
    .map((one) => 12 * one.getBoundingClientRect().width / one.naturalWidth)
    .filter((size) => size < 8.3 || size > 12.1)"""
LEAST_CONTRAST = 4.5


def find_faint_texts(page: Page, roots: str) -> list[dict[str, Any]]:
    """Return the texts in these elements whose contrast is too low."""
    measured = page.evaluate(CONTRASTS, roots)
    assert measured, f"there is no text in {roots}"
    return [text for text in measured if text["contrast"] < LEAST_CONTRAST]


def find_cut_texts(page: Page, roots: str) -> list[str]:
    """Return the texts in these elements that are not completely visible."""
    texts: list[str] = page.evaluate(CUT_TEXTS, roots)
    return texts


def measure_overflow(page: Page) -> int:
    """Return how many pixels the page is wider than the window."""
    pixels: int = page.evaluate(OVERFLOW)
    return pixels


def find_small_letters(page: Page, pictures: str) -> list[float]:
    """Return the sizes of letters in pictures that are too small to read, or larger than drawn."""
    sizes: list[float] = page.evaluate(SMALL_LETTERS, pictures)
    return sizes


def measure_picture_texts(page: Page, picture: str, theme: str) -> list[dict[str, Any]]:
    """Return the texts of an SVG document in a theme: contrast, and whether they are inside their boxes."""
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    page.set_content(f"<!DOCTYPE html><body>{picture}</body>")
    measured: list[dict[str, Any]] = page.evaluate(PICTURE_TEXTS)
    page.emulate_media(color_scheme=None)
    return measured
