#!/usr/bin/env python3
"""Makes the fonts in files/ from their packages. Needs fonttools, brotli and zstd.

    build.py SOURCES

SOURCES is a folder that holds the unpacked packages that README.md names (dpkg -x, npm pack).
"""
import pathlib
import subprocess
import sys
import tempfile

from fontTools import merge, subset
from fontTools.ttLib import TTFont

LAYOUT = ["GSUB", "GPOS", "GDEF", "kern"]
OTHER = ["DSIG", "meta", "gasp", "BASE", "VDMX", "hdmx", "LTSH", "vhea", "vmtx", "STAT"]
# Latin, Greek and Cyrillic, then their extensions, punctuation, currency, letterlike forms, arrows and operators.
TEXT = set(range(0x20, 0x530)) | set(range(0x1E00, 0x2400))
# What puts letters and marks in their places, without ligatures and other styles of figures.
PLACING = ["ccmp", "locl", "kern", "mark", "mkmk"]
# Scripts whose letters depend on their neighbours, with the weights that are shipped.
SHAPED = {
    "Arabic": ["Regular", "Bold"], "Hebrew": ["Regular", "Bold"], "Devanagari": ["Regular", "Bold"], "Thai": ["Regular", "Bold"],
    "Bengali": ["Regular"], "Gurmukhi": ["Regular"], "Gujarati": ["Regular"], "Oriya": ["Regular"], "Tamil": ["Regular"],
    "Telugu": ["Regular"], "Kannada": ["Regular"], "Malayalam": ["Regular"], "Sinhala": ["Regular"], "Lao": ["Regular"],
    "Khmer": ["Regular"], "Myanmar": ["Regular"],
}


def cut(source, target, wanted=None, unwanted=frozenset(), features=()):
    options = subset.Options()
    options.hinting = False
    options.layout_features = list(features)
    options.notdef_outline = True
    options.drop_tables += OTHER + ([] if features else LAYOUT)
    options.recalc_timestamp = False
    font = subset.load_font(str(source), options)
    characters = set(font.getBestCmap()) - unwanted
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=characters & wanted if wanted else characters)
    subsetter.subset(font)
    subset.save_font(font, str(target), options)
    return set(font.getBestCmap())


def emoji(sources, folder):
    """Joins the parts that the package is cut into."""
    parts = []
    for number, source in enumerate(sorted(sources.rglob("noto-emoji-*-400-normal.woff"))):
        font = TTFont(source)
        for table in LAYOUT + OTHER:
            if table in font:
                del font[table]
        font.flavor = None
        parts.append(folder / f"part{number}.ttf")
        font.save(parts[-1])
    joined = folder / "joined.ttf"
    merge.Merger().merge([str(part) for part in parts]).save(joined)
    return joined


def main(sources):
    here = pathlib.Path(__file__).parent / "files"
    find = lambda pattern: next(sources.rglob(pattern))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for style in ["Regular", "Bold", "Italic", "BoldItalic"]:
            held = cut(find(f"NotoSans-{style}.ttf"), folder / f"NotoSans-{style}.ttf", TEXT, features=PLACING)
        for script, weights in SHAPED.items():
            for weight in weights:
                file = f"NotoSans{script}-{weight}.ttf"
                held |= cut(find(file), folder / file, features=["*"])
        for style in ["Regular", "Bold", "Italic"]:
            cut(find(f"JetBrainsMono-{style}.ttf"), folder / f"JetBrainsMono-{style}.ttf")
        cut(find("DejaVuSans.ttf"), folder / "DejaVuSans.ttf", unwanted=held)
        cut(find("fonts-droid-fallback/truetype/DroidSansFallback.ttf"), folder / "DroidSansFallback.ttf")
        cut(emoji(sources, folder), folder / "NotoEmoji.ttf")
        for made in folder.glob("[A-Z]*.ttf"):
            subprocess.run(["zstd", "--ultra", "-22", "-q", "-f", made, "-o", here / (made.name + ".zst")], check=True)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
